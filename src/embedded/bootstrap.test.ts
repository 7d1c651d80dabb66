import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const BOOTSTRAP = join(import.meta.dirname, 'bootstrap.mjs')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function begin(program: string, ...args: string[]): Promise<{ child: ChildProcess; output: () => string }> {
  const file = join(folder, 'program.ts')
  await writeFile(file, program)
  const child = spawn(process.execPath, [BOOTSTRAP, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
  return { child, output: () => said }
}

test('runs TypeScript on Node 24 with the arguments and passes on the exit code', async () => {
  const { child, output } = await begin(
    `const all: string[] = process.argv.slice(2); console.log(process.versions.node, ...all); process.exit(7)`,
    'a',
    'b c',
  )
  expect(await once(child, 'close')).toEqual([7, null])
  expect(output()).toMatch(/^24\.[\d.]+ a b c\n$/)
})

test('forwards a stop signal and waits for the program to end', async () => {
  const { child, output } = await begin(
    `process.on('SIGTERM', () => setTimeout(() => { console.log('stopped'); process.exit(0) }, 100))
     console.log('started'); setInterval(() => {}, 1000)`,
  )
  await expect.poll(output).toBe('started\n')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(output()).toBe('started\nstopped\n')
})

test('a killed bootstrap is noticed by its program', async () => {
  const { child, output } = await begin(
    `process.on('disconnect', () => { console.log('alone'); process.exit(0) })
     console.log('started'); setInterval(() => {}, 1000)`,
  )
  await expect.poll(output).toBe('started\n')
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(output()).toBe('started\nalone\n')
})
