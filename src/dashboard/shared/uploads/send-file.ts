import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { put } from './put.ts'
import { sendInChunks } from './send-in-chunks.ts'
import type { Sending } from './sending.ts'
import { CHUNKED_FROM, type StoredFile } from './upload.ts'

/** Sends one file, a large one in chunks. */
export function sendFile(sending: Sending): Promise<StoredFile> {
  return sending.file.size > CHUNKED_FROM ? sendInChunks(sending) : sendWhole(sending)
}

function sendWhole({ workspaceId, folderId, file, name, onProgress, signal }: Sending): Promise<StoredFile> {
  const query = { workspace_id: workspaceId, folder_id: folderId, file_name: name }
  return put({ url: urlOf(api.files.upload, { query }), body: file, onProgress, signal })
}
