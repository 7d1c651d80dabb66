import { count } from '../ui/format.ts'

/** A folder or file, as far as words for it go. */
export interface Named {
  kind: 'folder' | 'file'
  id: number
  name: string
}

/** “Finance” for one, "2 folders and 14 files" for several. */
export function namesOf(lines: readonly Named[]): string {
  const [first] = lines
  if (first && lines.length === 1) return `“${first.name}”`
  const folders = lines.filter(({ kind }) => kind === 'folder').length
  return countWords({ folders, files: lines.length - folders })
}

/** "2 folders and 14 files". */
export function countWords({ folders, files }: { folders: number; files: number }): string {
  const words = [folders > 0 && count(folders, 'folder'), files > 0 && count(files, 'file')].filter(Boolean)
  return words.length > 0 ? words.join(' and ') : 'nothing'
}
