import { basename } from 'node:path'
import type { S3Place } from '../../base/blob-place.ts'
import type { StorageView } from '../view-storage.ts'
import { openBucket } from './bucket.ts'
import { BLOBS, keyOf, readStoreId } from './keys.ts'

const ID = /^[0-9a-f]{32}$/

/** Content as it lies in its bucket. Looking at it changes nothing. */
export function viewBucket(place: S3Place): StorageView {
  const bucket = openBucket(place)
  return {
    id: () => readStoreId(bucket),
    sizeOf: async (blobId) => bucket.sizeOf(keyOf(blobId)),
    async *listOlderThan(date) {
      for await (const { key, size, modified } of bucket.list(BLOBS)) {
        const blob_id = basename(key)
        if (ID.test(blob_id) && modified < date.getTime()) yield { blob_id, size }
      }
    },
    space: async () => undefined,
  }
}
