import type * as z from 'zod/mini'
import type { fileCompact } from '../../../contract/files.ts'
import { naturally } from '../../ui/format.ts'

export type StoredFile = z.output<typeof fileCompact>

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed'

/** One file on its way. Values are replaced, never changed, so that a screen can compare them. */
export interface Upload {
  id: number
  workspaceId: number
  /** The folder it was dropped on, and the names of the folders below it that lead to the file. */
  folderId: number
  path: readonly string[]
  file: File
  state: UploadState
  /** Bytes so far. */
  sent: number
  /** Why it failed. */
  failure: string | undefined
  /** Above 1 where a file of that name was there already. */
  version: number | undefined
}

/** What a drop, a paste or a file input hands over; `path` is set by react-dropzone. */
export type ChosenFile = File & { readonly path?: string | undefined }

/** Folder names above a chosen file: "/Deal/2025/a.pdf" is in Deal, 2025; "./a.pdf" and "a.pdf" are in none. */
export function foldersAbove(file: ChosenFile): string[] {
  return pathOf(file)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .slice(0, -1)
}

/** By path: files get their places in a folder in the order they arrive. */
export function inReadingOrder(files: readonly ChosenFile[]): ChosenFile[] {
  return files.toSorted((one, other) => naturally(pathOf(one), pathOf(other)))
}

function pathOf(file: ChosenFile): string {
  return file.path || file.webkitRelativePath || file.name
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** By folder and name, numbers by value: a dropped directory arrives in no order at all. */
export function inOrder(files: readonly ChosenFile[]): ChosenFile[] {
  const keyed = files.map((file) => ({ file, key: [...foldersAbove(file), file.name].join('/') }))
  return keyed.toSorted((a, b) => collator.compare(a.key, b.key)).map(({ file }) => file)
}
