import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { withoutNumber } from '../../../contract/outline/outline.ts'

export type FolderContent = Reply<typeof api.folders.get>
export type FolderMeta = FolderContent['folder']
export type FileCompact = FolderContent['immediate_subfiles'][number]
export type Abilities = FolderContent['abilities']

/** `folder-12` or `file-7`: folders and files are numbered separately, so an id alone is ambiguous. */
export type EntryKey = `${'folder' | 'file'}-${number}`

interface Row<Kind extends 'folder' | 'file', Source> {
  kind: Kind
  key: EntryKey
  id: number
  /** Name of a folder, title of a file. */
  name: string
  /** 1-based place among the folders, or among the files, of the folder. */
  index: number
  /** Its number in the index of the workspace: "2.3.1". Empty for draft folders. */
  outline: string
  source: Source
}

export type FolderEntry = Row<'folder', FolderMeta>
export type FileEntry = Row<'file', FileCompact> & { fileKind: FileCompact['kind'] }
/** A line of the list. */
export type Entry = FolderEntry | FileEntry

/** The number of a folder. Drafts have none: the number after the last published folder is that of a file. */
export const numberOf = ({ draft, outline }: Pick<FolderMeta, 'draft' | 'outline'>): string => (draft ? '' : outline)

export const folderEntry = (folder: FolderMeta): FolderEntry => ({
  kind: 'folder',
  key: folderKey(folder.id),
  id: folder.id,
  name: folder.name,
  index: folder.index,
  outline: numberOf(folder),
  source: folder,
})

export const fileEntry = (file: FileCompact): FileEntry => ({
  kind: 'file',
  key: fileKey(file.id),
  id: file.id,
  name: file.title,
  fileKind: file.kind,
  index: file.index,
  outline: file.outline,
  source: file,
})

export const fileKey = (id: number): EntryKey => `file-${id}`
export const folderKey = (id: number): EntryKey => `folder-${id}`

/** Lists the subfolders of a folder, then its files, each in their own order. */
export function entriesOf(content: FolderContent): Entry[] {
  return [...content.immediate_subfolders.map(folderEntry), ...content.immediate_subfiles.map(fileEntry)]
}

export const isFolder = (entry: Entry): entry is FolderEntry => entry.kind === 'folder'
export const isFile = (entry: Entry): entry is FileEntry => entry.kind === 'file'

/** "2.3 Contracts", also where the name itself begins with that number. */
export const numberedName = (outline: string, name: string, numberLength?: number): string =>
  outline === '' ? name : `${outline} ${withoutNumber(name, outline, numberLength)}`
