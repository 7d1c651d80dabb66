import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { urlOf } from '../../../../contract/url.ts'
import { ApiFailure } from '../../../api/failures.ts'
import { put } from './put.ts'
import { sendInChunks } from './send-in-chunks.ts'
import type { Sending } from './sending.ts'
import { CHUNKED_FROM, type StoredFile } from '../upload.ts'

/** Sends one file, a large one in chunks. */
export async function sendFile(sending: Sending): Promise<StoredFile> {
  try {
    return await (sending.file.size > CHUNKED_FROM ? sendInChunks(sending) : sendWhole(sending))
  } catch (error) {
    // A browser that cannot read the file reports only that the request failed.
    if (!(error instanceof ApiFailure) || error.code !== 0 || (await isReadable(sending.file))) throw error
    throw new ApiFailure(410, t`Changed or deleted since. Add it again.`)
  }
}

/** Nodes of an earlier release know no keys: for them, `unless_same` tells a second attempt. */
function sendWhole({
  workspaceId,
  folderId,
  file,
  name,
  again,
  key,
  onProgress,
  signal,
}: Sending): Promise<StoredFile> {
  const place = { workspace_id: workspaceId, folder_id: folderId, file_name: name }
  const query = { ...place, ...(again && { unless_same: true }), ...(key && { idempotency_key: key }) }
  return put({ url: urlOf(api.files.upload, { query }), body: file, onProgress, signal })
}

const isReadable = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
