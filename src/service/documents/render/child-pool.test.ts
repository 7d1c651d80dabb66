import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ChildPool, createChildPool } from './child-pool.ts'

let folder: string
let entry: URL
let pool: ChildPool
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-pool-'))
  const serveTasks = new URL('./serve-tasks.ts', import.meta.url).href
  const child = join(folder, 'child.ts')
  await writeFile(
    child,
    `import { serveTasks } from '${serveTasks}'
    serveTasks({
      pid: () => process.pid,
      environment: () => process.env,
      spin: () => { while (true); },
      wait: () => new Promise(() => {}),
      grow: () => { const all = []; while (true) all.push(Buffer.alloc(50_000_000, 1)) },
      end: () => process.exit(3),
    })`,
  )
  entry = pathToFileURL(child)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => pool.close())

const open = (options: { size?: number; idleMs?: number } = {}) =>
  (pool = createChildPool(entry, { size: 1, niceness: 10, ...options }))
const pidOf = (affinity?: string) => pool.run<number>('pid', null, { cpuMs: 60_000, ...(affinity && { affinity }) })
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('work goes to the process that did work with the same affinity before', async () => {
  open({ size: 2 })
  const [a, b] = await Promise.all([pidOf('a'), pidOf('b')])
  expect(a).not.toBe(b)
  expect([await pidOf('b'), await pidOf('a'), await pidOf('b')]).toEqual([b, a, b])
})

test('there are never more processes than allowed', async () => {
  open({ size: 2 })
  const pids = await Promise.all(Array.from({ length: 20 }, (_, at) => pidOf(String(at))))
  expect(new Set(pids).size).toBeLessThanOrEqual(2)
})

test('F5: a process knows no secrets', async () => {
  open()
  const environment = await pool.run<object>('environment', null, { cpuMs: 60_000 })
  expect(Object.keys(environment)).toEqual(expect.not.arrayContaining(['PATH', 'DATABASE_URL', 'MASTER_KEY']))
})

test('an idle process ends', async () => {
  open({ idleMs: 1 })
  const pid = await pidOf()
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000)
  expect(await pidOf()).not.toBe(pid)
})

test.each([
  ['spin', 'took too long'],
  ['wait', 'took too long'],
])('a task that does nothing but %s is ended, and the next one is done', async (task, message) => {
  open()
  const pid = await pidOf()
  await expect(pool.run(task, null, { cpuMs: 100 })).rejects.toThrow(message)
  expect(isAlive(pid)).toBe(false)
  expect(await pidOf()).not.toBe(pid)
})

test.runIf(existsSync('/proc/self/stat'))('a task that takes ever more memory is ended', async () => {
  open()
  await expect(pool.run('grow', null, { cpuMs: 60_000 })).rejects.toThrow(/more memory|process .* ended/)
  await pidOf()
})

test('a process that ends by itself is replaced', async () => {
  open()
  await expect(pool.run('end', null, { cpuMs: 60_000 })).rejects.toThrow('ended')
  expect(await pidOf()).toBeGreaterThan(0)
})

test('an aborted task is ended', async () => {
  open()
  const pid = await pidOf()
  const unwanted = new AbortController()
  const working = pool.run('spin', null, { cpuMs: 60_000, signal: unwanted.signal })
  unwanted.abort()
  await expect(working).rejects.toThrow('given up')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000)
})

/** Whether a process with a pool can be given its own limits. */
const prlimit = existsSync('/usr/bin/prlimit')

test.skipIf(!prlimit)(
  'J6: if no more files can be opened, work fails with the reason, and later work is done',
  async () => {
    open()
    const program = `
    const { openSync, closeSync } = await import('node:fs')
    const { createChildPool } = await import(${JSON.stringify(new URL('./child-pool.ts', import.meta.url).href)})
    const pool = createChildPool(new URL(${JSON.stringify(entry.href)}), { size: 1, niceness: 10 })
    const run = () => pool.run('pid', null, { cpuMs: 60_000 }).then(() => 'done', (error) => error.code)
    const files = []
    try {
      while (true) files.push(openSync('/dev/null'))
    } catch {}
    const seen = [await run(), await run()]
    files.forEach(closeSync)
    seen.push(await run())
    await pool.close()
    process.stdout.write(seen.join(' '))`
    const node = [process.execPath, '--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)('/usr/bin/prlimit', ['--nofile=64:64', ...node])
    expect(stdout).toBe('EMFILE EMFILE done')
  },
)

test('closing the pool ends all processes', async () => {
  open({ size: 2 })
  const pid = await pidOf()
  const working = pool.run('spin', null, { cpuMs: 60_000 })
  const [error] = await Promise.all([working.catch((reason: unknown) => reason), pool.close()])
  expect(String(error)).toContain('ended')
  expect(isAlive(pid)).toBe(false)
  await expect(pidOf()).rejects.toThrow('given up')
})
