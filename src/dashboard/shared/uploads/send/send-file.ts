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

function sendWhole({ workspaceId, folderId, file, name, again, onProgress, signal }: Sending): Promise<StoredFile> {
  const query = { workspace_id: workspaceId, folder_id: folderId, file_name: name, ...(again && { unless_same: true }) }
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
