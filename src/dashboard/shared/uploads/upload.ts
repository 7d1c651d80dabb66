import type * as z from 'zod/mini'
import type { fileCompact } from '../../../contract/files.ts'

export type StoredFile = z.output<typeof fileCompact>

/** `missing`: from before the page was loaded anew; its bytes have to be chosen again. */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'missing' | 'done' | 'failed'

/** One file on its way. Values are replaced, never changed, so that a screen can compare them. */
export interface Upload {
  id: number
  workspaceId: number
  /** The folder it was dropped on, and the names of the folders below it that lead to the file. */
  folderId: number
  path: readonly string[]
  /** It is stored under this name: that of the file, or another where both are kept. */
  name: string
  /** As it is called where it comes from. */
  fileName: string
  size: number
  lastModified: number
  /** Undefined while it is missing. */
  file: File | undefined
  /** By which a browser finds the file again. */
  handle: FileSystemFileHandle | undefined
  /** The service's, of an upload in chunks that was begun. */
  uploadId: number | undefined
  state: UploadState
  /** It was sent before, and may have arrived without our knowing. */
  again: boolean
  /** Bytes so far. */
  sent: number
  /** Why it failed, or waits. */
  failure: string | undefined
  stored: StoredFile | undefined
}

/** What of an upload is not there from the beginning. */
export const FRESH = {
  handle: undefined,
  uploadId: undefined,
  again: false,
  sent: 0,
  failure: undefined,
  stored: undefined,
} as const

/** What a drop or a file input hands over; `path` and `handle` come with a drop. */
export type ChosenFile = File & { readonly path?: string | undefined; readonly handle?: FileSystemHandle | undefined }

/** A chosen file and the name it shall have. */
export interface NamedFile {
  file: ChosenFile
  name: string
}

/** Folder names above a chosen file: "/Deal/2025/a.pdf" is in Deal, 2025; "./a.pdf" and "a.pdf" are in none. */
export function foldersAbove(file: ChosenFile): string[] {
  return pathOf(file)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .slice(0, -1)
}

/** As the service stores a name (decisions, section 6). */
export const storedName = (name: string): string => name.trim().normalize('NFC')

function pathOf(file: ChosenFile): string {
  return file.path || file.webkitRelativePath || file.name
}

/** What is larger goes in chunks, and so goes on where it stopped. */
export const CHUNKED_FROM = 8 * 1024 ** 2

/** On a file input; every browser has it, React's types do not. */
export const DIRECTORY = { webkitdirectory: '' }
