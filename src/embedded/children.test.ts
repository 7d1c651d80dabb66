import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Child, startChild } from './children.ts'

let folder: string
let child: Child
let lines: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  lines = []
  child = startChild({
    name: 'tiny program',
    file: 'embedded/testing/tiny-program.ts',
    env: { TINY_FILE: join(folder, 'said') },
    log: (line) => lines.push(line),
  })
})

afterEach(async () => {
  await child.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the words that the program wrote, and the pid of its last start. */
async function said(): Promise<{ words: string[]; pid: number }> {
  const text = await readFile(join(folder, 'said'), 'utf8').catch(() => '')
  const all = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  return { words: all.map(([word = '']) => word), pid: Number(all.at(-1)?.[1]) }
}

async function untilSaid(words: string[]): Promise<void> {
  await expect.poll(async () => (await said()).words, { timeout: 40_000 }).toEqual(words)
}

test('a program that dies is started again', async () => {
  await untilSaid(['started'])
  process.kill((await said()).pid, 'SIGKILL')
  await untilSaid(['started', 'started'])
  expect(lines).toEqual(['The tiny program ended (SIGKILL); starting it again in 0.1 s.'])
})

test('J4: a hanging program is killed and started again', async () => {
  await untilSaid(['started'])
  const { pid } = await said()
  process.kill(pid, 'SIGSTOP')
  await untilSaid(['started', 'started'])
  expect((await said()).pid).not.toBe(pid)
  expect(lines.slice(0, 2)).toEqual([
    'The tiny program hangs; ending it.',
    expect.stringMatching(/^The tiny program ended \(SIGKILL\); starting it again in/),
  ])
})

test('J4: a program that hangs before its first sign of life is killed and started again', async () => {
  const silent = startChild({
    name: 'silent program',
    file: 'embedded/testing/tiny-program.ts',
    env: { TINY_FILE: join(folder, 'silent'), TINY_SILENT: '1' },
    log: (line) => lines.push(line),
    firstLooks: 2,
  })
  await expect
    .poll(() => lines.slice(0, 2), { timeout: 40_000 })
    .toEqual([
      'The silent program hangs; ending it.',
      'The silent program ended (SIGKILL); starting it again in 0.1 s.',
    ])
  await silent.stop()
})

test('J4: a program that cannot even be forked is started later', async () => {
  const env: NodeJS.ProcessEnv = { TINY_FILE: join(folder, 'forked') }
  const other = startChild({
    name: 'other program',
    file: 'embedded/testing/tiny-program.ts',
    env,
    log: (line) => lines.push(line),
  })
  const pidOf = async () => Number((await readFile(join(folder, 'forked'), 'utf8').catch(() => '')).split(/\s/)[1])
  await expect.poll(pidOf, { timeout: 40_000 }).toBeGreaterThan(0)
  // fork() throws for a NUL, as it does without a free file descriptor.
  env['WRONG'] = '\0'
  process.kill(await pidOf(), 'SIGKILL')
  await expect.poll(() => lines.length, { timeout: 40_000 }).toBeGreaterThan(1)
  delete env['WRONG']
  const starts = async () => (await readFile(join(folder, 'forked'), 'utf8')).match(/started/g)?.length
  await expect.poll(starts, { timeout: 40_000 }).toBe(2)
  await other.stop()
})

test('a requested restart happens without a pause', async () => {
  await untilSaid(['started'])
  child.restart()
  await untilSaid(['started', 'stopped', 'started'])
  expect(lines).toEqual(['Starting the tiny program again.'])
})

test('a stopped program stays stopped', async () => {
  await untilSaid(['started'])
  await child.stop()
  expect((await said()).words).toEqual(['started', 'stopped'])
  expect(lines).toEqual([])
})

test('a program that ends before it is ready is a failed start', async () => {
  await untilSaid(['started'])
  const ready = child.untilReady('http://127.0.0.1:1/readyz', new AbortController().signal)
  const failure = ready.catch((error: Error) => error.message)
  process.kill((await said()).pid, 'SIGKILL')
  expect(await failure).toBe('The tiny program did not start.')
})

test('J4: a program that the machine has no resources to start is started later', async () => {
  await untilSaid(['started'])
  const { execPath } = process
  process.execPath = join(folder, 'nothing')
  try {
    process.kill((await said()).pid, 'SIGKILL')
    await expect.poll(() => lines.length, { timeout: 40_000 }).toBe(3)
  } finally {
    process.execPath = execPath
  }
  await untilSaid(['started', 'started'])
  expect(lines.slice(0, 3)).toEqual([
    'The tiny program ended (SIGKILL); starting it again in 0.1 s.',
    'The tiny program ended (ENOENT); starting it again in 0.2 s.',
    'The tiny program ended (ENOENT); starting it again in 0.4 s.',
  ])
})
