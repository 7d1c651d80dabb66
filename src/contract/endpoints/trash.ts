import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, page, perPage, timestamp } from '../fields.ts'
import { fileConflict, fileKind, transferred } from './files.ts'
import { numberedPath } from './folders.ts'

/** Additive section: deletions of the last 30 days, for workspace admins. One deletion is one item. */
export const trashItem = z.object({
  deletion_id: z.string(),
  type: z.enum(['file', 'folder']),
  id: id(),
  /** Title of a file, name of a folder. */
  name: z.string(),
  /** Name by which uploads find the file; "" for a folder. */
  file_name: z.string(),
  /** Null for a folder. */
  kind: z.nullable(fileKind()),
  /** Readable path of its former folder: "/Finance". */
  path: z.string(),
  numbered_path: numberedPath(),
  /** Whether that folder still exists: restoring returns the item to it, otherwise to the root. */
  in_place: z.boolean(),
  /** Additive: a file of a draft, or of a folder in one, that is gone too, without which it cannot be restored. */
  of_gone_draft: z.boolean(),
  /** The folder that restoring returns the item to. */
  folder_id: id(),
  /** Folders and files of the deletion, including the item itself. */
  folders: z.int(),
  files: z.int(),
  /** Bytes, in decimal. */
  size: z.string(),
  deleted_at: timestamp(),
  /** 0 and "" for deletions made before this was recorded. */
  deleted_by_id: id(),
  deleted_by_name: z.string(),
  purged_at: timestamp(),
})

export const trash = {
  list: endpoint({
    method: 'GET',
    path: '/trash',
    summary: 'Deleted files and folders that can be restored, newest first',
    scope: 'files:read',
    query: { workspace_id: id(), page: page(), per_page: perPage(100) },
    success: 200,
    reply: z.array(trashItem),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/trash/{deletion_id}/restore',
    summary: 'Bring back what one deletion took',
    scope: 'files:write',
    params: { deletion_id: z.uuid() },
    /** Additive: `conflict`, where the folder has a file or folder of that name. A folder is never replaced, but renamed. */
    body: {
      workspace_id: id(),
      conflict: fileConflict(),
      /** Additive: the caller takes back a deletion that was just made, and the activity says so. */
      undo: z.optional(z.boolean()),
    },
    success: 200,
    /** After `replaced`, describes the file that got a version; after `skipped`, the item stays in the trash. `name` and `folder_id` are the current ones. */
    reply: z.object({
      message: z.string(),
      type: z.enum(['file', 'folder']),
      id: id(),
      name: z.string(),
      folder_id: id(),
      /** Additive. */
      outcome: transferred().outcome,
    }),
  }),
}
