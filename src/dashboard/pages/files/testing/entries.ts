import {
  fileEntry,
  folderEntry,
  type Abilities,
  type FileCompact,
  type FileEntry,
  type FolderContent,
  type FolderEntry,
  type FolderMeta,
} from '../../../shared/listing/entries.ts'

export function folderNamed(id: number, name: string, more: Partial<FolderMeta> = {}): FolderMeta {
  return {
    id,
    name,
    path: `/${name}`,
    owner_type: 'Workspace',
    owner_id: 1,
    created_at: '2026-11-02T09:00:00.000Z',
    updated_at: '2026-11-02T09:00:00.000Z',
    index: id,
    last_updated_user_id: 1,
    parent_path: '/',
    parent_id: 0,
    id_tree: id,
    id_path: `0.${id}`,
    path_node: false,
    children: 0,
    draft: false,
    outline: String(more.index ?? id),
    number_length: 0,
    ...more,
  }
}

export function fileNamed(id: number, title: string, more: Partial<FileCompact> = {}): FileCompact {
  return {
    id,
    title,
    file_name: title,
    file_size: '2048',
    file_content_type: 'application/pdf',
    kind: 'pdf',
    index: id,
    created_at: '2026-11-02T09:00:00.000Z',
    updated_at: '2026-11-02T09:00:00.000Z',
    folder_id: 0,
    version: 1,
    pages: 0,
    infected: false,
    damaged: false,
    viewer_status: 'Unsupported',
    outline: String(more.index ?? id),
    number_length: 0,
    ...more,
  }
}

export const folder = (id: number, name: string, more?: Partial<FolderMeta>): FolderEntry =>
  folderEntry(folderNamed(id, name, more))

export const file = (id: number, title: string, more?: Partial<FileCompact>): FileEntry =>
  fileEntry(fileNamed(id, title, more))

export function contentOf(
  folders: FolderMeta[],
  files: FileCompact[],
  abilities: Partial<Abilities> = {},
): FolderContent {
  return {
    folder: folderNamed(0, 'All Folders', { path: '/', parent_path: '', id_path: '0', id_tree: 0 }),
    numbered_path: '/',
    immediate_subfolders: folders,
    immediate_subfiles: files,
    abilities: { view: true, download: true, upload: true, manage: true, sealed: false, ...abilities },
    totals: { folders: folders.length, files: files.length },
  }
}
