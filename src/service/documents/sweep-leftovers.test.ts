import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepLeftovers } from './sweep-leftovers.ts'

test('what a worker that died left behind is removed, what one is making is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-leftovers-'))
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of ['convert-old', 'convert-new']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'source.docx'), 'confidential')
  }
  await utimes(join(folder, 'convert-old'), new Date(0), new Date(0))
  expect(await sweepLeftovers(folder, hourAgo)).toBe(1)
  expect(await readdir(folder)).toEqual(['convert-new'])
  await rm(folder, { recursive: true })
  expect(await sweepLeftovers(folder, hourAgo)).toBe(0)
})
