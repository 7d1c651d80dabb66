export interface Sending {
  workspaceId: number
  folderId: number
  file: File
  name: string
  /** Something of it may have arrived before. */
  again: boolean
  /** Of an upload in chunks that was begun before. */
  uploadId: number | undefined
  /** An upload in chunks has begun. */
  onBegun: (uploadId: number) => void
  onProgress: (bytes: number) => void
  signal: AbortSignal
}
