import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnSync } from 'node:child_process'
import { sweepLeftovers } from './sweep-leftovers.ts'
import { withWorkFolder } from '../convert/work-folder.ts'

test('old files of a dead worker are removed, files of a running one are not', async () => {
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

test('F5: files of a killed process of this host are removed at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-leftovers-'))
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  await withWorkFolder(folder, async (own) => {
    const killed = own.replace(`-${process.pid}-`, `-${pid}-`)
    const elsewhere = own.replace(/[^/]*-\d+-(\d+~)/, `00000000-${pid}-$1`)
    for (const each of [own, killed, elsewhere]) {
      await mkdir(each, { recursive: true })
      await writeFile(join(each, 'source.docx'), 'confidential')
    }
    expect(await sweepLeftovers(folder, new Date(0))).toBe(1)
    expect((await readdir(folder)).map((name) => join(folder, name)).toSorted()).toEqual([own, elsewhere].toSorted())
  })
  expect(await readdir(folder)).toHaveLength(1)
  await rm(folder, { recursive: true })
})
