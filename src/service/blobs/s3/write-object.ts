import { Readable } from 'node:stream'
import { Upload } from '@aws-sdk/lib-storage'
import { MAX_S3_BYTES } from '../../base/blob-place.ts'
import { storageAway } from '../../base/errors.ts'
import type { StoredBlob } from '../blob-store.ts'
import { collectFacts } from '../write-file.ts'
import { type Bucket, recognizeCompleted } from './bucket.ts'

/** Bytes of a part. S3 allows 10,000 parts, each but the last of at least 5 MiB. */
export const PART_BYTES = 8 * 1024 ** 2
const BATCH_BYTES = 1024 ** 2
/** Batches that are read while a part is sent. */
const AHEAD = 4

/**
 * Streams content into an object, in parts if it is large. The object appears only when it is complete. A failure aborts
 * the upload, which removes the parts that were sent.
 * @throws ApiError 413 beyond `maxBytes`, 503 or 507 as the store says, and any error of `content`
 */
export async function writeObject(
  bucket: Bucket,
  key: string,
  content: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Omit<StoredBlob, 'blob_id'>> {
  const facts = collectFacts(Math.min(maxBytes, MAX_S3_BYTES))
  let failure: { error: unknown } | undefined
  const body = Readable.from(
    inBatches(content, facts.add, (error) => (failure = { error })),
    { highWaterMark: AHEAD },
  )
  const params = { ...bucket.target(key), Body: body }
  try {
    const upload = new Upload({ client: bucket.client, params, partSize: PART_BYTES, queueSize: 1 })
    await upload.done().catch((error: Error) => recognizeCompleted(error, bucket, key, facts.size()))
  } catch (error) {
    throw failure ? failure.error : bucket.refusalOf(error)
  } finally {
    body.destroy()
  }
  const { size, ...rest } = facts.end()
  // A store that lost a part must not have the last word.
  if (size > PART_BYTES && (await bucket.sizeOf(key)) !== size) throw storageAway()
  return { size, ...rest }
}

/** Copies the chunks, which are valid until the next one is requested, into batches. */
async function* inBatches(
  content: AsyncIterable<Buffer>,
  add: (chunk: Buffer) => void,
  onError: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let batch = Buffer.alloc(0)
  let filled = 0
  try {
    for await (const chunk of content) {
      add(chunk)
      for (let at = 0; at < chunk.length;) {
        if (batch.length === 0) batch = Buffer.allocUnsafeSlow(BATCH_BYTES)
        const copied = chunk.copy(batch, filled, at)
        at += copied
        filled += copied
        if (filled < BATCH_BYTES) continue
        yield batch
        batch = Buffer.alloc(0)
        filled = 0
      }
    }
  } catch (error) {
    onError(error)
    throw error
  }
  if (filled > 0) yield batch.subarray(0, filled)
}
