import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { createDiskStore } from './disk.ts'
import { createIntegrity, type Integrity, type Original } from './integrity.ts'

let folder: string
let store: BlobStore
let wholeReads: number
let found: unknown[]
let integrity: Integrity
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-blobs-'))
  store = await createDiskStore(folder)
  wholeReads = 0
  found = []
  const counted: BlobStore = {
    ...store,
    read(blobId) {
      wholeReads++
      return store.read(blobId)
    },
  }
  integrity = createIntegrity(counted, async (_, damage) => void found.push(damage))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = (): Promise<Original & { blob_id: string }> =>
  store.write(Readable.from([randomBytes(2_000_000)], { objectMode: false }), 1024 ** 3)
const pathOf = (id: string) => join(folder, id.slice(0, 2), id.slice(2, 4), id)
const fifty = <T>(ask: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, at) => ask(at).catch((error: { status?: number }) => error.status)))

test('concurrent requests for parts of one file compare it once', async () => {
  const original = await write()
  expect(await fifty((at) => integrity.vouches(original, { start: at, end: at }))).toEqual(Array(50).fill(true))
  expect(wholeReads).toBe(1)
})

test('content marked as damaged is compared again only after a while', async () => {
  const original = { ...(await write()), damaged: true }
  await writeFile(pathOf(original.blob_id), randomBytes(2_000_000))
  const ask = (at: number) => integrity.read(original, { start: at, end: at })
  expect(await fifty(ask)).toEqual(Array(50).fill(422))
  expect(await fifty(ask)).toEqual(Array(50).fill(422))
  expect(wholeReads).toBe(1)
  expect(found).toEqual(['bytes'])
})

test('content marked as damaged that is whole again is delivered at once', async () => {
  const original = { ...(await write()), damaged: true }
  expect(await integrity.read(original, { start: 0, end: 0 })).toHaveLength(1)
  expect(found).toEqual([undefined])
})
