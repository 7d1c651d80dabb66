import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { urlOf } from '../../../../contract/url.ts'
import { call } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failures.ts'
import { put } from './put.ts'
import type { Sending } from './sending.ts'
import type { StoredFile } from '../upload.ts'

type Progress = Reply<typeof api.uploads.get>

/** Sends a file in chunks, from the offset of the service. An interrupted file continues with the same upload. */
export async function sendInChunks(sending: Sending): Promise<StoredFile> {
  const { file, workspaceId, onProgress, signal } = sending
  let progress = (await resume(sending)) ?? (await begin(sending))
  while (Number(progress.offset) < file.size && progress.file_id === null) {
    onProgress(Number(progress.offset))
    progress = await append(sending, progress)
  }
  const params = { id: progress.id }
  return call(api.uploads.finish, { params, body: { workspace_id: workspaceId } }, signal)
}

async function begin({ workspaceId, folderId, file, name, onBegun, signal }: Sending): Promise<Progress> {
  const body = { workspace_id: workspaceId, folder_id: folderId, file_name: name, size: String(file.size) }
  const progress = await call(api.uploads.create, { body }, signal)
  onBegun(progress.id)
  return progress
}

/** Returns undefined if there is no upload to continue, so that a new upload begins. */
async function resume({ uploadId, workspaceId, signal }: Sending): Promise<Progress | undefined> {
  if (uploadId === undefined) return undefined
  try {
    return await statusOf(uploadId, workspaceId, signal)
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 404) return undefined
    throw error
  }
}

async function append(sending: Sending, { id, offset, chunk_size }: Progress): Promise<Progress> {
  const { file, workspaceId, onProgress, signal } = sending
  const start = Number(offset)
  const query = { workspace_id: workspaceId, id, offset }
  try {
    return await put({
      url: urlOf(api.uploads.append, { query }),
      body: file.slice(start, start + chunk_size),
      onProgress: (bytes) => onProgress(start + bytes),
      signal,
    })
  } catch (error) {
    // The chunk may have arrived before, and only its reply was lost.
    if (!(error instanceof ApiFailure) || error.code !== 409) throw error
    const progress = await statusOf(id, workspaceId, signal)
    if (progress.offset === offset) throw error
    return progress
  }
}

const statusOf = (id: number, workspaceId: number, signal: AbortSignal) =>
  call(api.uploads.get, { params: { id }, query: { workspace_id: workspaceId } }, signal)

/** Deletes an upload, so that the service need not keep its bytes for a day. */
export async function giveUp(id: number, workspaceId: number): Promise<void> {
  await call(api.uploads.remove, { params: { id }, query: { workspace_id: workspaceId } }).catch(() => undefined)
}
