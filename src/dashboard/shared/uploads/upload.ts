import type * as z from 'zod/mini'
import type { fileCompact } from '../../../contract/endpoints/files.ts'

export type StoredFile = z.output<typeof fileCompact>

/** `missing`: the upload is from before a reload, so the user has to choose its file again. */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'missing' | 'done' | 'failed'

/** The upload of one file. Values are replaced, never changed, so that components can compare them. */
export interface Upload {
  id: number
  workspaceId: number
  /** The folder it was dropped on; `path` has the names of the folders below it that lead to the file. */
  folderId: number
  path: readonly string[]
  /** The name to store: that of the file, or another name if both files are kept. */
  name: string
  /** The name of the user's own file. */
  fileName: string
  size: number
  lastModified: number
  /** Undefined while the upload is `missing`. */
  file: File | undefined
  /** Lets a browser find the file again after a reload. */
  handle: FileSystemFileHandle | undefined
  /** The service's id of an upload in chunks that was begun. */
  uploadId: number | undefined
  state: UploadState
  /** The file was sent before, and may have arrived although its reply was lost. */
  again: boolean
  /** Tells the service which requests send this very upload. Undefined for uploads kept by an earlier release. */
  key: string | undefined
  /** Bytes sent so far. */
  sent: number
  /** Why the upload failed or waits. */
  failure: string | undefined
  stored: StoredFile | undefined
}

/** Initial values of the fields that change during an upload. */
export const FRESH = {
  handle: undefined,
  uploadId: undefined,
  again: false,
  key: undefined,
  sent: 0,
  failure: undefined,
  stored: undefined,
} as const

/** A file from a drop or a file input; `path` and `handle` come with a drop. */
export type ChosenFile = File & { readonly path?: string | undefined; readonly handle?: FileSystemHandle | undefined }

/** A chosen file and the name to store. */
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

/** Normalizes a name as the service does (decisions, section 6). */
export const storedName = (name: string): string => name.trim().normalize('NFC')

function pathOf(file: ChosenFile): string {
  return file.path || file.webkitRelativePath || file.name
}

/** Files with more bytes are sent in chunks, so that they can continue where they stopped. */
export const CHUNKED_FROM = 8 * 1024 ** 2

/** For a file input; every browser supports the attribute, but React's types lack it. */
export const DIRECTORY = { webkitdirectory: '' }
