import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobPlace, nameOf, type S3Place } from '../../service/base/blob-place.ts'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { openBucket } from '../../service/blobs/s3/bucket.ts'
import { ID_KEY, keyOf, readStoreId } from '../../service/blobs/s3/keys.ts'
import { writeObject } from '../../service/blobs/s3/write-object.ts'
import type { BackupStore } from './backup-store.ts'
import { undefinedIfGone } from './copy-files.ts'

/** Where the content of a backup is restored to. */
export interface ContentSink {
  /** @throws Error if other content is there */
  claim(): Promise<void>
  /** @returns the SHA-256 of what was restored; undefined if the backup lacks it */
  take(store: BackupStore, path: string, blobId: string): Promise<string | undefined>
  /** Ends with the id of the storage, by which a place has content. */
  takeRest(store: BackupStore, backup: string): Promise<void>
}

export const openContentSink = (place: BlobPlace): ContentSink =>
  'folder' in place ? toFolder(place.folder) : toBucket(place)

const hasContent = (name: string) => new Error(`${name} has content already. Name an empty place in BLOB_URL.`)

function toFolder(folder: string): ContentSink {
  return {
    async claim() {
      if (await stat(join(folder, 'storage-id')).catch(undefinedIfGone)) throw hasContent(folder)
      await mkdir(folder, { recursive: true, mode: 0o700 })
    },
    take: async (store, path, blobId) => (await store.getFile(path, join(folder, placeOf(blobId))))?.sha256,
    async takeRest(store, backup) {
      await store.getFolder(`${backup}/parts`, join(folder, 'parts'))
      await store.getFile(`${backup}/storage-id`, join(folder, 'storage-id'))
    },
  }
}

function toBucket(place: S3Place): ContentSink {
  const bucket = openBucket(place)
  const copy = async (store: BackupStore, path: string, key: string) => {
    const content = await store.getStream(path)
    return content && (await writeObject(bucket, key, content, Infinity)).sha256.toString('hex')
  }
  return {
    async claim() {
      if ((await readStoreId(bucket)) !== undefined) throw hasContent(nameOf(place))
    },
    take: (store, path, blobId) => copy(store, path, keyOf(blobId)),
    async takeRest(store, backup) {
      await copy(store, `${backup}/storage-id`, ID_KEY)
    },
  }
}
