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
  /** The name beside its number, without one that it begins with. */
  label: string
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

/** "2.3 Contracts", as a folder is named where its number does not stand beside it. */
export const nameOfFolder = (folder: Pick<FolderMeta, 'draft' | 'outline' | 'name' | 'number_length'>): string =>
  numberedName(numberOf(folder), folder.name, folder.number_length)

export const nameOfFile = (file: Pick<FileCompact, 'outline' | 'title' | 'number_length'>): string =>
  numberedName(file.outline, file.title, file.number_length)

export const folderEntry = (folder: FolderMeta): FolderEntry => ({
  kind: 'folder',
  key: folderKey(folder.id),
  id: folder.id,
  name: folder.name,
  label: withoutNumber(folder.name, numberOf(folder), folder.number_length),
  index: folder.index,
  outline: numberOf(folder),
  source: folder,
})

export const fileEntry = (file: FileCompact): FileEntry => ({
  kind: 'file',
  key: fileKey(file.id),
  id: file.id,
  name: file.title,
  label: withoutNumber(file.title, file.outline, file.number_length),
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

/** The path of the folder that contains the one of a path. */
export const pathAbove = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** A sealed copy is made of pages, so a file without any is not delivered where downloads are sealed. */
export const isUnsealable = (status: FileCompact['viewer_status']) => status === 'Failed' || status === 'Unsupported'
