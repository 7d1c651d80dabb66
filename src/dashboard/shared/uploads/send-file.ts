import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { failureOf, noAnswer } from '../../api/failures.ts'
import type { StoredFile } from './upload.ts'

export interface Sending {
  workspaceId: number
  folderId: number
  file: File
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/** Sends one file. `fetch` tells nothing about the progress of a request, hence XMLHttpRequest. */
export function sendFile({ workspaceId, folderId, file, onProgress, signal }: Sending): Promise<StoredFile> {
  const query = { workspace_id: workspaceId, folder_id: folderId, file_name: file.name }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(api.files.upload.method, urlOf(api.files.upload, { query }))
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status !== api.files.upload.success) reject(failureOf(request.status, request.responseText))
      else resolve(JSON.parse(request.responseText) as StoredFile)
    })
    request.addEventListener('error', () => reject(noAnswer()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
