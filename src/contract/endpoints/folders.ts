import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { fileName, id, optionalPage, optionalPerPage, page, perPage, position, timestamp } from '../fields.ts'
import { listedFile, outlined, transferred } from './files.ts'

/**
 * Folder meta. A folder that the caller may not view appears as a path node where it leads to a viewable one
 * (decisions, section 5): `path_node` is true, times are "" and `last_updated_user_id` is 0.
 */
export const folderMeta = z.object({
  id: id(),
  name: z.string(),
  /** Readable path: "/Finance/2025"; the root is "/". */
  path: z.string(),
  owner_type: z.literal('Workspace'),
  owner_id: id(),
  created_at: timestamp(),
  updated_at: timestamp(),
  index: z.int(),
  last_updated_user_id: id(),
  parent_path: z.string(),
  parent_id: id(),
  /** The top-level folder that contains this one; 0 for the root. */
  id_tree: id(),
  /** Ids from the root down: "0.32339.36885". */
  id_path: z.string(),
  path_node: z.boolean(),
  /** Direct subfolders the caller can see. */
  children: z.int(),
  /** Additive: the folder is a draft or in one. Only workspace admins see such folders. */
  draft: z.boolean(),
  ...outlined(),
})

/** Additive: `path` in the numbers of the caller: "/2 Finance/2.5 Accounts". Numbers of another index are left out. */
export const numberedPath = () => z.string()

export const abilities = z.object({
  view: z.boolean(),
  download: z.boolean(),
  upload: z.boolean(),
  /** Rename, reindex, move, delete: workspace admins; file-managing groups for the files of uploadable folders. */
  manage: z.boolean(),
  /** Additive: downloads of its files are sealed copies, of each file that has pages. */
  sealed: z.boolean(),
})

export const folderContent = z.object({
  folder: folderMeta,
  numbered_path: numberedPath(),
  immediate_subfolders: z.array(folderMeta),
  immediate_subfiles: z.array(listedFile),
  abilities,
  totals: z.object({ folders: z.int(), files: z.int() }),
})

export const copyResult = z.object({
  message: z.string(),
  success: z.literal(1),
  ...folderMeta.shape,
  ...transferred(),
})

/** Additive: what to do where the destination has a folder of that name. Without it, a copy is renamed, and a move is not. */
const folderConflict = () => z.optional(z.enum(['rename', 'skip']))

export const folderSearch = () => ({
  workspace_id: id(),
  q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  page: page(),
  per_page: perPage(25),
})

export const folderSearchResult = z.object({ ...folderMeta.shape, numbered_path: numberedPath() })

const params = { id: id() }
const workspace_id = id()

export const folders = {
  /** Additive. */
  search: endpoint({
    method: 'GET',
    path: '/folders/search',
    summary: 'Find folders by name',
    scope: 'folders:read',
    query: folderSearch(),
    success: 200,
    reply: z.array(folderSearchResult),
  }),
  create: endpoint({
    method: 'POST',
    path: '/folders',
    summary: 'Create a folder',
    scope: 'folders:write',
    body: { workspace_id, name: fileName(), parent_id: z._default(id(), 0) },
    success: 201,
    reply: folderMeta,
  }),
  get: endpoint({
    method: 'GET',
    path: '/folders/{id}',
    summary: 'A folder with its immediate subfolders and files',
    scope: 'folders:read',
    params,
    query: {
      workspace_id,
      /** Additive: without both, lists everything; subfolders come before files. */
      page: optionalPage(),
      per_page: optionalPerPage(),
    },
    success: 200,
    reply: folderContent,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/folders/{id}',
    summary: 'Rename a folder or give it another place among its siblings',
    scope: 'folders:write',
    params,
    body: { workspace_id, folder: z.object({ name: z.optional(fileName()), index: z.optional(position()) }) },
    success: 200,
    reply: folderMeta,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/folders/{id}',
    summary: 'Delete a folder with everything in it',
    scope: 'folders:write',
    params,
    query: { workspace_id },
    success: 200,
    /** `deleted` counts the removed folders, including this one. */
    reply: z.object({ id: id(), deleted: z.int() }),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/folders/{id}/copy',
    summary: 'Copy a folder with everything in it',
    scope: 'folders:write',
    params,
    body: { workspace_id, destination_folder_id: id(), conflict: folderConflict() },
    success: 201,
    reply: copyResult,
  }),
  move: endpoint({
    method: 'POST',
    path: '/folders/{id}/move',
    summary: 'Move a folder with everything in it',
    scope: 'folders:write',
    params,
    body: { workspace_id, destination_folder_id: id(), conflict: folderConflict() },
    success: 201,
    reply: copyResult,
  }),
  /** Additive. `undo_id` is null where the order was that of the names already. */
  renumber: endpoint({
    method: 'POST',
    path: '/folders/{id}/renumber',
    summary: 'Number the subfolders and the files of a folder anew, in the order of their names; 0 is the root',
    scope: 'folders:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: z.object({ message: z.string(), undo_id: z.nullable(id()) }),
  }),
  /** Additive. */
  undo: endpoint({
    method: 'POST',
    path: '/folders/{id}/undo',
    summary: 'Undo a move, a copy or new numbers of a folder that the caller made today',
    scope: 'folders:write',
    params,
    body: { workspace_id, undo_id: id() },
    success: 200,
    reply: z.object({ message: z.string() }),
  }),
}
