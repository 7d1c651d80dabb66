import { join } from 'node:path'

const ID = /^[0-9a-f]{32}$/

/** Path of a blob below its folder or prefix. Ids come from the database; even so, none may ever lead out of it. */
export function placeOf(blobId: string): string {
  if (!ID.test(blobId)) throw new Error('not the id of a blob')
  return join(blobId.slice(0, 2), blobId.slice(2, 4), blobId)
}
