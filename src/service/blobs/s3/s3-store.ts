import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Log } from '../../../wire/log.ts'
import type { S3Place } from '../../base/blob-place.ts'
import { placeOf } from '../blob-path.ts'
import type { BlobStore, OpenBlob, StoredBlob } from '../blob-store.ts'
import { CHUNK_BYTES } from '../chunks.ts'
import { factsOf, toRefusal } from '../write-file.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { BLOBS, ID_KEY, keyOf, PAGES, PARTS, readStoreId } from './keys.ts'
import { createLocalCopies } from './local-copies.ts'
import { openObject } from './read-object.ts'
import { createS3Parts } from './s3-parts.ts'
import { signUrl } from './sign-url.ts'
import { createSharedFolder } from './shared-folder.ts'
import { writeObject } from './write-object.ts'

/** A multipart upload without a new part for this long, beyond the age of orphans, was left behind by a crash. */
const ABANDONED_MS = 24 * 3_600_000
const ID = /^[0-9a-f]{32}$/

const newId = () => randomBytes(16).toString('hex')

export interface S3Store extends BlobStore {
  /** @throws ApiError 503 */
  readId(): Promise<string | undefined>
  writeId(id: string): Promise<void>
}

interface Options {
  /** A local folder for copies and chunks that are being received; any number of processes may share it. */
  folder: string
  log?: Pick<Log, 'error'> | undefined
  /** Time that a copy for programs is kept after its last use. */
  keptMs?: number
  /** Checks that the bucket holds the storage of this database. @param fresh whether an earlier result does not do */
  requirePresent?(store: S3Store, fresh: boolean): Promise<void>
}

/**
 * Stores content as the objects `<prefix>blobs/<aa>/<bb>/<id>` of a bucket. Nothing that matters is on this machine, so
 * every node sees the same.
 */
export async function createS3Store(
  place: S3Place,
  { folder, log, keptMs, requirePresent }: Options,
): Promise<S3Store> {
  const bucket = openBucket(place, log)
  const present = async (fresh = true) => requirePresent?.(store, fresh)
  const copies = await createLocalCopies(
    join(folder, 'copies'),
    async (blobId, path) => {
      await pipeline(await store.read(blobId), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(refuse)
      return (await stat(path)).size
    },
    keptMs,
  )

  const store: S3Store = {
    requirePresent: present,
    parts: await createS3Parts(bucket, {
      prefix: PARTS,
      keyOf,
      folder: join(folder, 'chunks'),
      requirePresent: () => present(false),
    }),
    shared: createSharedFolder(bucket, PAGES),
    placeOf,
    directUrl: (blobId, headers) => signUrl(bucket, keyOf(blobId), headers),
    readId: () => readStoreId(bucket),
    writeId: (id) => bucket.put(ID_KEY, `${id}\n`),

    async write(content, maxBytes) {
      await present(false)
      const blob_id = newId()
      return { blob_id, ...(await write(bucket, keyOf(blob_id), content, maxBytes)) }
    },

    async put(blob_id, content) {
      await present(false)
      return { blob_id, ...(await writeObject(bucket, keyOf(blob_id), content, Infinity)) }
    },

    async read(blobId) {
      const blob = await openObject(bucket, keyOf(blobId))
      if (blob) return Readable.from(chunksOf(blob), { objectMode: false })
      await present()
      throw Object.assign(new Error('ENOENT: the store has no such content'), { code: 'ENOENT' })
    },

    open: async (blobId, range) => openObject(bucket, keyOf(blobId), range),
    sizeOf: async (blobId) => bucket.sizeOf(keyOf(blobId)),
    withFile: (blobId, use) => copies.use(blobId, use),
    remove: async (blobId) => bucket.remove(keyOf(blobId)),

    async *listOlderThan(date) {
      await present()
      for await (const { key, modified } of bucket.list(BLOBS)) {
        if (modified < date.getTime() && ID.test(basename(key))) yield basename(key)
      }
      await bucket.abortUploads(BLOBS, new Date(date.getTime() - ABANDONED_MS))
    },
  }
  return store
}

async function write(
  bucket: Bucket,
  key: string,
  content: AsyncIterable<Buffer> | Buffer,
  maxBytes: number,
): Promise<Omit<StoredBlob, 'blob_id'>> {
  if (!Buffer.isBuffer(content)) return writeObject(bucket, key, content, maxBytes)
  const facts = factsOf(content, maxBytes)
  await bucket.put(key, content)
  return facts
}

function refuse(error: unknown): never {
  throw toRefusal(error)
}

export async function* chunksOf(blob: OpenBlob): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < blob.size;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, blob.size - at))
      await blob.read(chunk, at)
      at += chunk.length
      yield chunk
    }
  } finally {
    await blob.close()
  }
}
