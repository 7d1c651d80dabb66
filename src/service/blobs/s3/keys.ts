import { placeOf } from '../blob-path.ts'
import type { Bucket } from './bucket.ts'
import { openObject, readBytes } from './read-object.ts'

/** Below the prefix: content, chunks of unfinished uploads, page images, and the id of the storage. */
export const BLOBS = 'blobs/'
export const PARTS = 'parts/'
export const PAGES = 'pages/'
export const ID_KEY = 'storage-id'

const ID_BYTES = 100

export const keyOf = (blobId: string): string => BLOBS + placeOf(blobId)

/** Anything but an id, such as the page of another server, is an id that no database has. */
export async function readStoreId(bucket: Bucket): Promise<string | undefined> {
  const found = await openObject(bucket, ID_KEY, { start: 0, end: ID_BYTES })
  return found && (await readBytes(found, Math.min(found.size, ID_BYTES))).toString('latin1').trim()
}
