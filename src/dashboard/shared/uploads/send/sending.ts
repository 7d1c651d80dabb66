export interface Sending {
  workspaceId: number
  folderId: number
  file: File
  name: string
  /** The file was sent before and may have arrived. */
  again: boolean
  /** The same for each time the file is sent, so that it is stored once. */
  key: string | undefined
  uploadId: number | undefined
  /** Called once an upload in chunks has begun. */
  onBegun: (uploadId: number) => void
  onProgress: (bytes: number) => void
  signal: AbortSignal
}
