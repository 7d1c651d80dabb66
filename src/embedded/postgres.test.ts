import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startOf } from './lock.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { leaveServerBehind, pidOf, query } from './testing/servers.ts'

let folder: string
let running: Postgres[] = []

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'strongroom-test-')))
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  running = []
  await rm(folder, { recursive: true, force: true })
})

async function start(dataDir = join(folder, 'data'), log: (line: string) => void = () => {}): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, durable: false, log })
  running.push(postgres)
  return postgres
}

async function stop(postgres: Postgres): Promise<void> {
  await postgres.stop()
  running = running.filter((each) => each !== postgres)
}

const socketDirOf = (url: string) => new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? ''

describe('startPostgres', { timeout: 60_000 }, () => {
  test('makes a UTF-8 cluster and keeps its data over a stop and a start', async () => {
    const first = await start()
    expect(await query(first.databaseUrl, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    expect(await query(first.databaseUrl, `select lower('ÜBER')`)).toEqual([{ lower: 'über' }])
    await query(first.databaseUrl, 'create table kept (id int)')
    await stop(first)

    const second = await start()
    expect(await query(second.databaseUrl, 'select * from kept')).toEqual([])
  })

  test('listens only in a folder that only its user can enter', async () => {
    const { databaseUrl } = await start()
    expect(await query(databaseUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect((await stat(socketDirOf(databaseUrl))).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'data/postgres'))).mode & 0o777).toBe(0o700)
  })

  test('is durable by default', async () => {
    const durable = await startPostgres({ dataDir: join(folder, 'durable') })
    running.push(durable)
    expect(await query(durable.databaseUrl, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(durable.databaseUrl, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
  })

  test('continues with the server that a killed process left behind', async () => {
    const dataDir = join(folder, 'data')
    const url = await leaveServerBehind(dataDir)
    const left = await pidOf(dataDir)
    const lines: string[] = []
    const adopted = await start(dataDir, (line) => lines.push(line))
    expect(adopted.databaseUrl).toBe(url)
    expect(lines).toContainEqual(expect.stringContaining(`process ${left}`))
    await stop(adopted)
    expect(startOf(left)).toBeUndefined()
  })

  test('recovers when the server was killed too', async () => {
    const dataDir = join(folder, 'data')
    const url = await leaveServerBehind(dataDir)
    await query(url, 'create table kept (id int)')
    process.kill(await pidOf(dataDir), 'SIGKILL')
    const { databaseUrl } = await start(dataDir)
    expect(await query(databaseUrl, 'select * from kept')).toEqual([])
  })

  test('is not misled by a pid that another process has reused', async () => {
    const dataDir = join(folder, 'data')
    await leaveServerBehind(dataDir)
    process.kill(await pidOf(dataDir), 'SIGKILL')
    const file = join(dataDir, 'postgres/postmaster.pid')
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
    const owner = await stat(join(dataDir, 'postgres'))
    const identity = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
    const stranger = spawn('/bin/sleep', ['60'], identity)
    try {
      await writeFile(file, [stranger.pid, ...rest].join('\n'))
      const { databaseUrl } = await start(dataDir)
      expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      stranger.kill()
    }
  })

  test('starts the server again when it dies', async () => {
    const { databaseUrl } = await start()
    process.kill(await pidOf(join(folder, 'data')), 'SIGKILL')
    await expect
      .poll(
        () =>
          query(databaseUrl, 'select 1').then(
            () => 'answers',
            () => 'silent',
          ),
        { timeout: 20_000 },
      )
      .toBe('silent')
    await expect
      .poll(
        () =>
          query(databaseUrl, 'select 1').then(
            () => 'answers',
            () => 'silent',
          ),
        { timeout: 20_000 },
      )
      .toBe('answers')
  })

  test('refuses data of another version', async () => {
    await stop(await start())
    await writeFile(join(folder, 'data/postgres/PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow('holds data of PostgreSQL 15')
  })

  test('refuses a folder with other content', async () => {
    await mkdir(join(folder, 'data/postgres'), { recursive: true })
    await writeFile(join(folder, 'data/postgres/letter.txt'), 'Dear Ines')
    await expect(start()).rejects.toThrow('not a PostgreSQL data folder')
  })

  test('makes the cluster again after an interrupted attempt', async () => {
    await mkdir(join(folder, 'data/postgres.part/base'), { recursive: true })
    await writeFile(join(folder, 'data/postgres.part/PG_VERSION'), '18\n')
    const { databaseUrl } = await start()
    expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('refuses a second Strongroom on the same data, and ignores the lock of a killed one', async () => {
    await start()
    await expect(start()).rejects.toThrow('already runs on')
    await writeFile(join(folder, 'data/strongroom.lock'), `${process.pid} 1\n`)
    await stop(running[0] as Postgres)
    await expect(start()).resolves.toBeDefined()
  })

  test('finds a folder for the socket when the data path is long, the same after each start', async () => {
    const dataDir = join(folder, 'a-rather-long-name-'.repeat(6), 'data')
    const first = await start(dataDir)
    expect(await query(first.databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop(first)
    expect((await start(dataDir)).databaseUrl).toBe(first.databaseUrl)
    await rm(socketDirOf(first.databaseUrl), { recursive: true })
  })

  test('does not use a socket folder planted by another user', async () => {
    const dataDir = join(folder, 'a-rather-long-name-'.repeat(6), 'data')
    const first = await start(dataDir)
    await stop(first)
    const planted = socketDirOf(first.databaseUrl)
    await rm(planted, { recursive: true })
    await symlink(folder, planted)
    const second = await start(dataDir)
    expect(second.databaseUrl).not.toBe(first.databaseUrl)
    await rm(planted)
    await rm(socketDirOf(second.databaseUrl), { recursive: true })
  })

  test('works below a parent that others may not enter, and logs what it changed', async () => {
    const locked = join(folder, 'home')
    await mkdir(locked, { mode: 0o700 })
    await chmod(locked, 0o700)
    const lines: string[] = []
    const { databaseUrl } = await start(join(locked, 'data'), (line) => lines.push(line))
    expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    const asRoot = process.getuid?.() === 0
    expect((await stat(locked)).mode & 0o777).toBe(asRoot ? 0o701 : 0o700)
    expect(lines.some((line) => line.startsWith(`Made ${locked} passable`))).toBe(asRoot)
  })
})
