import { Readable } from 'node:stream'
import type { BlobStore } from '../blob-store.ts'
import type { PartStore } from '../part-store.ts'

/**
 * Writes to the first store, and reads what only the second one has: while content moves from one to the other, in
 * either order. An upload is continued where it began.
 */
export function joinStores(first: BlobStore, second: BlobStore): BlobStore {
  const holderOf = async (blobId: string) => ((await first.sizeOf(blobId)) === undefined ? second : first)
  // A front server or client would not find what only the second store has.
  const { directUrl: _, ...rest } = first
  return {
    ...rest,
    parts: joinParts(first.parts, second.parts),
    read: async (blobId) => (await holderOf(blobId)).read(blobId),
    open: async (blobId, range) => (await first.open(blobId, range)) ?? second.open(blobId, range),
    sizeOf: async (blobId) => (await first.sizeOf(blobId)) ?? second.sizeOf(blobId),
    withFile: async (blobId, use) => (await holderOf(blobId)).withFile(blobId, use),
    async remove(blobId) {
      await Promise.all([first.remove(blobId), second.remove(blobId)])
    },
    async requirePresent() {
      await Promise.all([first.requirePresent(), second.requirePresent()])
    },
    async *listOlderThan(date) {
      yield* first.listOlderThan(date)
      yield* second.listOlderThan(date)
    },
  }
}

function joinParts(first: PartStore, second: PartStore): PartStore {
  const holderOf = async (partId: string) => ((await second.holds(partId)) ? second : first)
  async function* bytesOf(partId: string, end: number): AsyncGenerator<Buffer> {
    yield* (await holderOf(partId)).read(partId, end) as AsyncIterable<Buffer>
  }
  return {
    ...first,
    append: async (partId, offset, chunk) => (await holderOf(partId)).append(partId, offset, chunk),
    read: (partId, end) => Readable.from(bytesOf(partId, end), { objectMode: false }),
    head: async (partId, size) => (await holderOf(partId)).head(partId, size),
    adopt: async (partId, size) => (await holderOf(partId)).adopt(partId, size),
    async remove(partId) {
      await Promise.all([first.remove(partId), second.remove(partId)])
    },
    async *list() {
      yield* first.list()
      yield* second.list()
    },
  }
}
