import type { Readable } from 'node:stream'
import { continueUpload } from '../../access/enter/upload.ts'
import { enterWorkspace } from '../../access/enter/workspace.ts'
import type { ContinuedUpload } from '../../access/scopes.ts'
import type { Actor } from '../../auth/actor.ts'
import { resumeHash } from '../../blobs/running-hash.ts'
import type { Config } from '../../base/config.ts'
import { transaction } from '../../db/transaction.ts'
import type { Db } from '../../db/pool.ts'
import { ApiError, detailOf, refusal, unprocessable } from '../../base/errors.ts'
import { advanceUpload, getUpload, lockUpload, type UploadRow } from '../../store/files/uploads.ts'
import type { Means } from './receive.ts'

/** Small enough to be sent again after a failure, large enough to be worth a request. */
export const CHUNK_BYTES = 8 * 1024 ** 2

interface ChunkMeans extends Means {
  config: Config
}

interface Place {
  workspace_id: number
  id: number
  offset: number
}

/**
 * Streams a chunk to disk first; the transaction that accepts the chunk copies it to its place. If several chunks
 * arrive for one offset, the first one counts.
 */
export async function receiveChunk(
  { db, blobs: { parts }, clock, config }: ChunkMeans,
  actor: Actor,
  place: Place,
  body: { stream: Readable; declaredSize: number | undefined },
): Promise<UploadRow> {
  // Check before the first byte is read, so that a caller without the right cannot make the service read.
  const known = await getUpload(db, await enter(db, actor, place))
  expectPlace(known, place.offset)
  const limit = limitOf(known)
  if ((body.declaredSize ?? 0) > limit.bytes) throw limit.beyond()

  const hash = await resumeHash(known, () => parts.read(known.part_id, known.received))
  const chunk = await parts.receive(body.stream, limit, hash.add)
  try {
    // Receiving the chunk may have taken long, so check the rights again as of now.
    const now = clock()
    return await transaction(db, async (tx) => {
      const upload = await enter(tx, { ...actor, now }, place)
      const { part_id, received, ...row } = await lockUpload(tx, upload)
      expectPlace({ ...row, received }, place.offset)
      if (chunk.size > 0) await parts.append(part_id, received, chunk)
      const expires_at = expiryOf(now, config)
      return advanceUpload(tx, upload, { ...hash.state(), received: received + chunk.size, expires_at })
    })
  } finally {
    await parts.discard(chunk)
  }
}

export const expiryOf = (now: Date, config: Config) => new Date(now.getTime() + config.uploadExpiresAfterSeconds * 1000)

async function enter(db: Db, actor: Actor, { workspace_id, id }: Place): Promise<ContinuedUpload> {
  return continueUpload(db, await enterWorkspace(db, actor, workspace_id), id)
}

/** @throws ApiError 409 if the upload is finished, or with the expected offset in its header */
function expectPlace({ received, file_id }: Pick<UploadRow, 'received' | 'file_id'>, offset: number): void {
  if (file_id !== null) throw refusal('upload_finished')
  if (offset !== received) throw misplaced(received, 'chunk_misplaced', { received })
}

export const misplaced = (
  received: number,
  reason: 'chunk_misplaced' | 'upload_incomplete',
  params: Record<string, number>,
) =>
  new ApiError(reason, params, {
    details: [detailOf('offset', 'next_offset', { offset: received })],
    headers: { 'Upload-Offset': String(received) },
  })

function limitOf({ size, received }: UploadRow) {
  const left = size - received
  if (left < CHUNK_BYTES) {
    return { bytes: left, beyond: () => unprocessable('offset', 'bytes_to_come', { left, size }) }
  }
  return { bytes: CHUNK_BYTES, beyond: () => refusal('chunk_too_large', { bytes: CHUNK_BYTES }) }
}
