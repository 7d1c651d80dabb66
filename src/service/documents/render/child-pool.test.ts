import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ChildPool, createChildPool } from './child-pool.ts'
import { DocumentFault } from './fault.ts'
import { MAX_OUTPUT_BYTES } from './limits.ts'

let folder: string
let entry: URL
let pool: ChildPool
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-pool-'))
  const serveTasks = new URL('./serve-tasks.ts', import.meta.url).href
  const fault = new URL('./fault.ts', import.meta.url).href
  const child = join(folder, 'child.ts')
  await writeFile(
    child,
    `import { once } from 'node:events'
    import { pipeline } from 'node:stream/promises'
    import { serveTasks } from '${serveTasks}'
    import { DocumentFault } from '${fault}'
    serveTasks({
      pid: () => process.pid,
      environment: () => process.env,
      spin: () => { while (true); },
      wait: () => new Promise(() => {}),
      rest: () => new Promise((done) => setTimeout(done, 1000)),
      grow: () => { const all = []; while (true) all.push(Buffer.alloc(50_000_000, 1)) },
      end: () => process.exit(3),
      copy: () => pipeline(process.stdin, process.stdout),
      read: async () => { for await (const chunk of process.stdin) void chunk; throw new DocumentFault('damaged') },
      flood: async () => { while (true) if (!process.stdout.write(Buffer.alloc(1_000_000))) await once(process.stdout, 'drain') },
    })`,
  )
  entry = pathToFileURL(child)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => pool.close())

const open = (options: Partial<Parameters<typeof createChildPool>[1]> = {}) =>
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

const cpuMs = 60_000
const once = (task: string, startMs = cpuMs) => ({
  once: { task: { task, input: null }, cpuMs: startMs, wallMs: cpuMs },
})
const between = (task: string, files: { source: string; target: string }) => pool.run(task, null, { cpuMs, files })
const target = () => join(folder, 'target')

test('a document passes through a process that works once', async () => {
  open(once('pid'))
  const source = join(folder, 'source')
  for (const size of [0, 5_000_000]) {
    await writeFile(source, Buffer.alloc(size, 'x'))
    await between('copy', { source, target: target() })
    expect((await readFile(target())).equals(await readFile(source))).toBe(true)
  }
})

test('a document that cannot be read as a whole is not called damaged', async () => {
  open(once('pid'))
  const files = { source: join(folder, 'absent'), target: target() }
  await expect(between('read', files)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(between('read', { ...files, source: join(folder, 'child.ts') })).rejects.toThrow(DocumentFault)
})

test('a target that cannot be written ends the process', async () => {
  open(once('pid'))
  const files = { source: join(folder, 'child.ts'), target: join(folder, 'absent', 'target') }
  await expect(between('wait', files)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('F5: a process that writes without end is ended', async () => {
  open(once('pid'))
  await expect(between('flood', { source: join(folder, 'child.ts'), target: target() })).rejects.toThrow('damaged')
  expect((await stat(target())).size).toBeLessThanOrEqual(MAX_OUTPUT_BYTES)
})

test('a process that does not start is no fault of the document, and later work starts another', async () => {
  open(once('spin', 200))
  for (const _ of [1, 2]) {
    const failed = await pool.run('pid', null, { cpuMs }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(failed).not.toBeInstanceOf(DocumentFault)
  }
})

test('work that waits is ended at its own limit of time', async () => {
  open()
  const begun = performance.now()
  await expect(pool.run('wait', null, { cpuMs: 600_000, wallMs: 300 })).rejects.toThrow('took too long')
  expect(performance.now() - begun).toBeGreaterThanOrEqual(290)
})

/** Whether a process with a pool can be given its own limits. */
const prlimit = existsSync('/usr/bin/prlimit')

test.skipIf(!prlimit).each(['{}', "{ once: { task: { task: 'pid', input: null }, cpuMs: 60_000, wallMs: 60_000 } }"])(
  'J6: if no more files can be opened, work fails with the reason, and later work is done: %s',
  async (more) => {
    open()
    const program = `
    const { openSync, closeSync } = await import('node:fs')
    const { createChildPool } = await import(${JSON.stringify(new URL('./child-pool.ts', import.meta.url).href)})
    const pool = createChildPool(new URL(${JSON.stringify(entry.href)}), { size: 1, niceness: 10, ...${more} })
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

test.skipIf(!prlimit)('J6: a process that could not be started ahead does not fail later work', async () => {
  open()
  const program = `
    const { openSync, closeSync } = await import('node:fs')
    const { setTimeout: sleep } = await import('node:timers/promises')
    const { createChildPool } = await import(${JSON.stringify(new URL('./child-pool.ts', import.meta.url).href)})
    const once = { task: { task: 'pid', input: null }, cpuMs: 60_000, wallMs: 60_000 }
    const pool = createChildPool(new URL(${JSON.stringify(entry.href)}), { size: 1, niceness: 10, once })
    const run = (task) => pool.run(task, null, { cpuMs: 60_000 }).then(() => 'done', (error) => error.code)
    await run('pid')
    const resting = run('rest')
    await sleep(700)
    const files = []
    try {
      while (true) files.push(openSync('/dev/null'))
    } catch {}
    const seen = [await resting]
    await sleep(100)
    files.forEach(closeSync)
    seen.push(await run('pid'))
    await pool.close()
    process.stdout.write(seen.join(' '))`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)('/usr/bin/prlimit', ['--nofile=64:64', ...node])
  expect(stdout).toBe('done done')
})

test('closing the pool ends all processes', async () => {
  open({ size: 2 })
  const pid = await pidOf()
  const working = pool.run('spin', null, { cpuMs: 60_000 })
  const [error] = await Promise.all([working.catch((reason: unknown) => reason), pool.close()])
  expect(String(error)).toContain('ended')
  expect(isAlive(pid)).toBe(false)
  await expect(pidOf()).rejects.toThrow('given up')
})
