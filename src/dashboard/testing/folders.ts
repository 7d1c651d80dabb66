import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'

type Content = Reply<typeof api.folders.get>
type Folder = Content['folder']
type File = Content['immediate_subfiles'][number]

export function folderMeta(facts: Partial<Folder>): Folder {
  return {
    id: 0,
    name: 'All folders',
    path: '/',
    owner_type: 'Workspace',
    owner_id: 1,
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
    index: 1,
    last_updated_user_id: 1,
    parent_path: '/',
    parent_id: 0,
    id_tree: 0,
    id_path: '0',
    path_node: false,
    children: 0,
    draft: false,
    outline: facts.id ? String(facts.index ?? 1) : '',
    number_length: 0,
    ...facts,
  }
}

export function folderContent(
  folder: Partial<Folder>,
  { folders = [], files = [] }: { folders?: Folder[]; files?: File[] } = {},
): Content {
  return {
    folder: folderMeta(folder),
    numbered_path: folderMeta(folder).path,
    immediate_subfolders: folders,
    immediate_subfiles: files,
    abilities: { view: true, download: true, upload: true, manage: true, sealed: false },
    totals: { folders: folders.length, files: files.length },
  }
}
