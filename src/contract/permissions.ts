import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, timestamp } from './fields.ts'

export const FLAGS = ['view', 'download', 'upload'] as const
export type Flag = (typeof FLAGS)[number]

/** Rights of one group on one folder. Mixed: among all descendants some have the flag and some have not. */
export const folderPermission = z.object({
  /** 0 for "All Folders". */
  id: id(),
  id_tree: id(),
  name: z.string(),
  view: z.boolean(),
  download: z.boolean(),
  upload: z.boolean(),
  position: z.int(),
  index: z.int(),
  is_mixed_view: z.boolean(),
  is_mixed_download: z.boolean(),
  is_mixed_upload: z.boolean(),
  /** Additive from here: "0.32339.36885", "1.1", the parent and the number of direct subfolders. */
  id_path: z.string(),
  outline: z.string(),
  parent_id: id(),
  children: z.int(),
})

export const permissions = {
  list: endpoint({
    method: 'GET',
    path: '/permissions/folders/{id}',
    summary: 'Rights of a group on the direct subfolders; for 0, "All Folders" comes first',
    scope: 'permissions:read',
    params: { id: id() },
    query: { workspace_id: id(), group_id: id() },
    success: 200,
    reply: z.array(folderPermission),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/permissions/folders/{id}',
    summary: 'Grant or revoke a right of a group on a folder and everything below it',
    scope: 'permissions:write',
    params: { id: id() },
    body: {
      workspace_id: id(),
      group_id: id(),
      /** `set` is what the getting-started guide says; it means grant. */
      verb: z.enum(['grant', 'revoke', 'set']),
      folder_action: z.enum(FLAGS),
    },
    success: 200,
    reply: z.object({ created_at: timestamp(), updated_at: timestamp(), message: z.string() }),
  }),
}
