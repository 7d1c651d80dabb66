import { plural, t } from '@lingui/core/macro'
import type { FileKind } from '../../contract/endpoints/files.ts'

/** The fields of a folder or file that its description needs. */
export interface Named {
  kind: 'folder' | 'file'
  id: number
  name: string
  /** The name as lists show it, if that is another one. */
  label?: string
  /** The kind of the file, if the caller knows it. */
  fileKind?: FileKind
}

/** Returns “Finance” for one line, "2 folders and 14 files" for several. */
export function namesOf(lines: readonly Named[]): string {
  const [first] = lines
  const name = first?.label ?? first?.name
  if (name !== undefined && lines.length === 1) return t`“${name}”`
  const folders = lines.filter(({ kind }) => kind === 'folder').length
  return countWords({ folders, files: lines.length - folders })
}

/** Returns "2 folders and 14 files". */
export function countWords({ folders, files }: { folders: number; files: number }): string {
  const folderWords = plural(folders, { one: '# folder', other: '# folders' })
  const fileWords = plural(files, { one: '# file', other: '# files' })
  if (folders > 0 && files > 0) return t`${folderWords} and ${fileWords}`
  if (folders > 0) return folderWords
  return files > 0 ? fileWords : t`nothing`
}
