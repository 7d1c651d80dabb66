import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { type Bucket, recognizeCompleted } from './bucket.ts'
import { LIMITS } from './create-client.ts'
import { readWhole } from './read-object.ts'

export interface ChunkObject {
  key: string
  size: number
}

/** Smallest part of S3, except the last one. */
const MIN_PART_BYTES = 5 * 1024 ** 2
const MAX_PARTS = 10_000
const AT_ONCE = 8

/** Makes one object of others, within the store as far as their sizes allow. */
export async function compose(bucket: Bucket, chunks: ChunkObject[], key: string): Promise<void> {
  const [first] = chunks
  if (!first) return bucket.put(key, '')
  if (chunks.length === 1) return bucket.copy(first.key, key)
  const { client, attempt } = bucket
  const begun = new CreateMultipartUploadCommand(bucket.target(key))
  const { UploadId = '' } = await attempt((abortSignal) => client.send(begun, { abortSignal }))
  const { Bucket, Key } = bucket.target(key)
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts = await sendParts(bucket, groupsOf(chunks), upload)
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    const size = chunks.reduce((sum, chunk) => sum + chunk.size, 0)
    const send = (abortSignal: AbortSignal) =>
      client.send(complete, { abortSignal }).catch((error: Error) => recognizeCompleted(error, bucket, key, size))
    await attempt(send, LIMITS.completeMs)
  } catch (error) {
    // The sweep aborts it if this fails.
    await attempt(() => client.send(new AbortMultipartUploadCommand(upload))).catch(() => {})
    throw error
  }
}

type Upload = { Bucket: string; Key: string; UploadId: string }

async function sendParts(bucket: Bucket, groups: ChunkObject[][], upload: Upload) {
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const some = groups.slice(at, at + AT_ONCE)
    const sent = some.map(async (group, index) => {
      const PartNumber = at + index + 1
      return { PartNumber, ETag: await sendPart(bucket, group, { ...upload, PartNumber }) }
    })
    parts.push(...(await Promise.all(sent)))
  }
  return parts
}

async function sendPart(bucket: Bucket, group: ChunkObject[], part: Upload & { PartNumber: number }) {
  const { client, attempt } = bucket
  const [only] = group
  if (only && group.length === 1) {
    const { Bucket, Key } = bucket.target(only.key)
    const copy = new UploadPartCopyCommand({ ...part, CopySource: `${Bucket}/${Key}` })
    return (await attempt((abortSignal) => client.send(copy, { abortSignal }))).CopyPartResult?.ETag
  }
  const bytes = await Promise.all(group.map(({ key, size }) => readWhole(bucket, key, size)))
  const send = new UploadPartCommand({ ...part, Body: Buffer.concat(bytes) })
  return (await attempt((abortSignal) => client.send(send, { abortSignal }))).ETag
}

/** Puts chunks together that are too small, or too many, to be parts. */
export function groupsOf(chunks: ChunkObject[]): ChunkObject[][] {
  const total = chunks.reduce((sum, { size }) => sum + size, 0)
  const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(total / MAX_PARTS))
  const groups: ChunkObject[][] = []
  let bytes = Infinity
  for (const chunk of chunks) {
    if (bytes >= partBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(chunk)
    bytes += chunk.size
  }
  return groups
}
