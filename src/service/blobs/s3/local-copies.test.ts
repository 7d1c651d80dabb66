import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalCopies } from './local-copies.ts'

type Gate = PromiseWithResolvers<void>

const GIB = 1024 ** 3
const SIZES: Record<string, number> = { first: 0.6 * GIB, second: 0.3 * GIB, third: 0.9 * GIB }

test.each(Array.from({ length: 8 }, (_, ticks) => ticks))(
  'counts the bytes of a copy that is released %i ticks after another is taken',
  async (ticks) => {
    const folder = await mkdtemp(join(tmpdir(), 'strongroom-copies-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const copies = await createLocalCopies(folder, async (blobId, path) => {
      await writeFile(path, blobId)
      return SIZES[blobId] ?? 0
    })
    await copies.use('first', async () => {})
    const [begun, ended, endedAgain] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Gate, Gate, Gate]
    const second = copies.use('second', () => (begun.resolve(), ended.promise))
    await begun.promise
    ended.resolve()
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    const first = copies.use('first', () => endedAgain.promise)
    await second

    const third = await copies.use('third', async (path) => path)

    await expect(access(third)).rejects.toThrow('ENOENT')
    endedAgain.resolve()
    await first
  },
)
