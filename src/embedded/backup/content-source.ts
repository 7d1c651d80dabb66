import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPlace, S3Place } from '../../service/base/blob-place.ts'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { openBucket } from '../../service/blobs/s3/bucket.ts'
import { keyOf } from '../../service/blobs/s3/keys.ts'
import { openObject } from '../../service/blobs/s3/read-object.ts'
import { chunksOf } from '../../service/blobs/s3/s3-store.ts'
import { viewBucket } from '../../service/blobs/s3/view-bucket.ts'
import { END_OF_TIME, viewFolder } from '../../service/blobs/view-storage.ts'
import type { BackupStore } from './backup-store.ts'
import type { CopiedBlob } from './content-list.ts'
import { undefinedIfGone } from './copy-files.ts'

export interface ContentSource {
  list(): AsyncIterable<{ blob_id: string; size: number }>
  /** @returns undefined if the sweep has removed it */
  copy(blobId: string, store: BackupStore, to: string): Promise<CopiedBlob | undefined>
  /** Copies the id of the storage and, from a folder, the parts of unfinished uploads. */
  copyRest(store: BackupStore, to: string): Promise<void>
}

export const openContentSource = (place: BlobPlace): ContentSource =>
  'folder' in place ? ofFolder(place.folder) : ofBucket(place)

function ofFolder(folder: string): ContentSource {
  return {
    list: () => viewFolder(folder).listOlderThan(END_OF_TIME),
    copy: (blobId, store, to) => store.putFile(join(folder, placeOf(blobId)), to).catch(undefinedIfGone),
    async copyRest(store, to) {
      await store.putFolder(join(folder, 'parts'), `${to}/parts`).catch(undefinedIfGone)
      const id = await readFile(join(folder, 'storage-id')).catch(undefinedIfGone)
      if (id) await store.putStream(one(id), `${to}/storage-id`)
    },
  }
}

function ofBucket(place: S3Place): ContentSource {
  const bucket = openBucket(place)
  const view = viewBucket(place)
  return {
    list: () => view.listOlderThan(END_OF_TIME),
    async copy(blobId, store, to) {
      const found = await openObject(bucket, keyOf(blobId))
      return found && store.putStream(chunksOf(found), to)
    },
    async copyRest(store, to) {
      const id = await view.id()
      if (id !== undefined) await store.putStream(one(Buffer.from(`${id}\n`)), `${to}/storage-id`)
    },
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
