import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { nodeFlags } from './children.ts'

const run = promisify(execFile)

async function printed(flags: readonly string[], script: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', script, ...args], {
    cwd: join(import.meta.dirname, '..'),
  })
  return stdout.trim()
}

test.each(['embedded/stack.ts', 'proxy/app.ts', 'service/app.ts'])('%s loads no HTTP client of Node', async (file) => {
  const loaded = `await import(process.argv[1])
    console.log(process.moduleLoadList.some((name) => name.includes('deps/undici')))
    process.exit()`
  const path = join(import.meta.dirname, '..', file)
  expect(await printed(nodeFlags(8), loaded, path)).toBe('false')
  expect(await printed([], loaded, path)).toBe('true')
})

test('messages of zod are in English only', async () => {
  const messages = `import * as z from 'zod'
    import { locales } from 'zod/mini'
    console.log(Object.keys(locales).length, z.safeParse(z.string(), 1).error.issues[0].message)`
  expect(await printed(nodeFlags(8), messages)).toBe('0 Invalid input: expected string, received number')
  expect(await printed([], messages)).toMatch(/^[1-9]\d+ Invalid input: expected string, received number$/)
})

test('a program that has nothing to do gives memory back that it no longer uses', async () => {
  const script = `const { freeWhenIdle } = await import(process.argv[1])
    freeWhenIdle(500)
    const taken = () => process.memoryUsage().heapTotal / 1024 / 1024
    let kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }))
    const most = taken()
    kept = undefined
    const watch = setInterval(() => {
      if (taken() > most / 2) return
      clearInterval(watch)
      console.log(most > 30, 'freed')
    }, 100)`
  expect(await printed([], script, join(import.meta.dirname, 'free-memory.ts'))).toBe('true freed')
})
