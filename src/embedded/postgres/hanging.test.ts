import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, type TestContext } from 'vitest'
import { type Postgres, startPostgres } from '../postgres.ts'
import { leaveServerBehind, pidOf, query } from '../testing/servers.ts'

/** A folder for the data of one test, which runs beside others. */
async function openFolder({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'strongroom-test-')))
  const running: Postgres[] = []
  onTestFinished(async () => {
    for (const postgres of running) await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const dataDir = join(folder, 'data')
  const start = async (log: (line: string) => void = () => {}) => {
    const postgres = await startPostgres({ dataDir, durable: false, log })
    running.push(postgres)
    return postgres
  }
  return { dataDir, start }
}

// They wait most of the time.
describe.concurrent('a server', { timeout: 120_000 }, () => {
  test('J4: a hanging server is killed and started again', async (context) => {
    const { dataDir, start } = await openFolder(context)
    const lines: string[] = []
    const { databaseUrl } = await start((line) => lines.push(line))
    const stopped = await pidOf(dataDir)
    process.kill(stopped, 'SIGSTOP')
    await context.expect
      .poll(() => query(databaseUrl, 'select 1 as one').catch(() => 'away'), { timeout: 100_000, interval: 500 })
      .toEqual([{ one: 1 }])
    expect(await pidOf(dataDir)).not.toBe(stopped)
    expect(lines).toContain('PostgreSQL hangs; ending it.')
  })

  test('J4: a hanging server that a killed process left behind is replaced', async (context) => {
    const { dataDir, start } = await openFolder(context)
    await query(await leaveServerBehind(dataDir), 'create table kept (id int)')
    const left = await pidOf(dataDir)
    process.kill(left, 'SIGSTOP')
    const { databaseUrl } = await start()
    expect(await query(databaseUrl, 'select * from kept')).toEqual([])
    expect(await pidOf(dataDir)).not.toBe(left)
  })

  test('J4: a server that hangs briefly keeps running', async (context) => {
    const { dataDir, start } = await openFolder(context)
    const lines: string[] = []
    const { databaseUrl } = await start((line) => lines.push(line))
    const stopped = await pidOf(dataDir)
    process.kill(stopped, 'SIGSTOP')
    await sleep(15_000)
    process.kill(stopped, 'SIGCONT')
    expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await pidOf(dataDir)).toBe(stopped)
    expect(lines).not.toContain('PostgreSQL hangs; ending it.')
  })
})
