import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { openContentSource } from './content-source.ts'
import { copyContent } from './copy-content.ts'
import { openFolderStore } from './folder-store.ts'
import { blobPath } from './manifest.ts'

test('a blob that was still being written is copied again, and a complete one is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-content-'))
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const [source, store] = [openContentSource({ folder: from }), openFolderStore(to)]
  const [whole, begun] = ['a'.repeat(32), 'b'.repeat(32)]
  for (const [id, content] of [
    [whole, 'whole'],
    [begun, 'beg'],
  ] as const) {
    await mkdir(dirname(join(from, placeOf(id))), { recursive: true })
    await writeFile(join(from, placeOf(id)), content)
  }
  const first = await copyContent(source, store, new Map())
  await writeFile(join(from, placeOf(begun)), 'begun and ended')

  const second = await copyContent(source, store, first.list)

  expect(second.bytes).toBe('begun and ended'.length)
  expect(await readFile(join(to, blobPath(begun)), 'utf8')).toBe('begun and ended')
  expect(second.list.get(whole)).toEqual(first.list.get(whole))
  await rm(folder, { recursive: true })
})
