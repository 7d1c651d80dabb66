import { mkdir, readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { storageAway } from '../../base/errors.ts'
import { type PartStore, receiveChunk } from '../part-store.ts'
import { removeOrphans } from '../temporary-names.ts'
import { HEAD_BYTES } from '../write-file.ts'
import type { Bucket } from './bucket.ts'
import { type ChunkObject, compose } from './compose.ts'
import { openObject, readBytes, readWhole } from './read-object.ts'
import { removeAll } from './shared-folder.ts'

interface Options {
  prefix: string
  keyOf(blobId: string): string
  /** A local folder for chunks that are being received. */
  folder: string
  requirePresent(): Promise<void>
}

const OFFSET_DIGITS = 15

/**
 * Each accepted chunk is an object `<part>/<offset>`, so any node can continue. A chunk that is sent again replaces the
 * object. Objects of an abandoned attempt do not count: the chunks follow each other from offset 0 on.
 */
export async function createS3Parts(
  bucket: Bucket,
  { prefix, keyOf, folder, requirePresent }: Options,
): Promise<PartStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeOrphans(folder)
  // `keyOf` checks the id.
  const folderOf = (partId: string) => keyOf(partId) && `${prefix}${partId}/`
  const chunkKey = (partId: string, offset: number) => folderOf(partId) + String(offset).padStart(OFFSET_DIGITS, '0')

  async function chunksOf(partId: string, size: number): Promise<ChunkObject[]> {
    const sizes = new Map<string, number>()
    for await (const each of bucket.list(folderOf(partId))) sizes.set(each.key, each.size)
    const chunks: ChunkObject[] = []
    for (let at = 0; at < size;) {
      const key = chunkKey(partId, at)
      // The lists of some stores, such as Swift, lag behind.
      const found = sizes.get(key) ?? (await bucket.sizeOf(key)) ?? 0
      if (found === 0 || at + found > size) throw new Error('a part has other bytes than were counted')
      chunks.push({ key, size: found })
      at += found
    }
    return chunks
  }

  async function* bytesOf(partId: string, end: number): AsyncGenerator<Buffer> {
    for (const { key, size } of await chunksOf(partId, end)) yield await readWhole(bucket, key, size)
  }

  return {
    async receive(...chunk) {
      await requirePresent()
      return receiveChunk(folder, ...chunk)
    },

    async append(partId, offset, chunk) {
      await requirePresent()
      const bytes = await readFile(chunk.path)
      if (bytes.length !== chunk.size) throw new Error('a chunk has other bytes than came in')
      await bucket.put(chunkKey(partId, offset), bytes)
    },

    discard: ({ path }) => rm(path, { force: true }),

    read: (partId, end) => Readable.from(bytesOf(partId, end), { objectMode: false }),

    async head(partId, size) {
      if (size === 0) return Buffer.alloc(0)
      await requirePresent()
      const range = { start: 0, end: Math.min(size, HEAD_BYTES) - 1 }
      const blob = await openObject(bucket, keyOf(partId), range)
      return blob ? readBytes(blob, range.end + 1) : firstBytes(bytesOf(partId, size), range.end + 1)
    },

    async adopt(partId, size) {
      await requirePresent()
      if ((await bucket.sizeOf(keyOf(partId))) === size) return
      await compose(bucket, await chunksOf(partId, size), keyOf(partId))
      if ((await bucket.sizeOf(keyOf(partId))) !== size) throw storageAway()
      // What remains after a crash is removed with the upload.
      await removeAll(bucket, folderOf(partId)).catch(() => {})
    },

    async holds(partId) {
      const sizes = await Promise.all([chunkKey(partId, 0), keyOf(partId)].map((key) => bucket.sizeOf(key)))
      return sizes.some((size) => size !== undefined)
    },

    remove: (partId) => removeAll(bucket, folderOf(partId)),

    async *list() {
      await requirePresent()
      yield* bucket.listFolders(prefix)
    },
  }
}

async function firstBytes(chunks: AsyncIterable<Buffer>, count: number): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    head = Buffer.concat([head, chunk.subarray(0, count - head.length)])
    if (head.length === count) break
  }
  return head
}
