import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const LOADED_BY = `await import(process.argv[1])
  console.log(process.moduleLoadList.some((name) => name.includes(process.argv[2])))
  process.exit()`

test('once all is compiled, a program loads its modules without the compiler', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'strongroom-compiled-'))
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache }
  const compilerOf = async (file: string) => {
    const path = join(import.meta.dirname, '..', file)
    return (
      await run(process.execPath, ['--input-type=module', '-e', LOADED_BY, path, 'deps/amaro'], { env })
    ).stdout.trim()
  }
  try {
    expect(await run(process.execPath, [join(import.meta.dirname, 'compile.ts')], { env })).toEqual({
      stdout: '',
      stderr: '',
    })
    expect(await readdir(cache)).toHaveLength(1)
    for (const file of [
      'service/app.ts',
      'embedded/stack.ts',
      'embedded/demo/deal-room.ts',
      'service/jobs/lanes.ts',
      'mail/delivery.ts',
    ]) {
      expect([file, await compilerOf(file)]).toEqual([file, 'false'])
    }
    expect(await compilerOf('tools/sources.ts')).toBe('true')
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
