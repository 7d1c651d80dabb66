import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, position, timestamp } from '../fields.ts'

const MAX_SELECTED = 10_000

export const expiringUrl = z.object({ expiring_url: z.string(), file_name: z.string() })

export const download = z.object({
  id: id(),
  user_id: id(),
  file_ids: z.array(id()),
  folder_ids: z.array(id()),
  status: z.enum(['building_directory', 'processing', 'done', 'failed', 'expired']),
  created_at: timestamp(),
  /** Additive from here. Bytes of the zip, in decimal; null until done. */
  size: z.nullable(z.string()),
  /** Files and folders that the zip leaves out, each with its reason in MANIFEST.csv; null until done. */
  left_out: z.nullable(z.int()),
  workspace_id: id(),
  expires_at: timestamp(),
  updated_at: timestamp(),
})

const ids = () => z._default(z.array(id()).check(z.maxLength(MAX_SELECTED)), [])

export const downloads = {
  create: endpoint({
    method: 'POST',
    path: '/downloads',
    summary: 'Ask for folders and files as one zip',
    scope: 'downloads:write',
    body: { workspace_id: id(), download: z.object({ folder_ids: ids(), file_ids: ids() }) },
    success: 201,
    reply: download,
  }),
  listStatus: endpoint({
    method: 'GET',
    path: '/downloads/status/{workspace_id}',
    summary: 'Downloads of the current user in a workspace, newest first',
    scope: 'downloads:write',
    params: { workspace_id: id() },
    success: 200,
    reply: z.object({ downloads: z.array(download) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/downloads/{id}',
    summary: 'An expiring URL of the zip, when it is done',
    scope: 'downloads:write',
    params: { id: id() },
    query: {
      workspace_id: id(),
      /** Additive: if the download is one sealed file, the URL of that file instead of a zip around it. */
      single: z._default(z.boolean(), false),
    },
    success: 200,
    reply: expiringUrl,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/downloads/{id}',
    summary: 'Delete a download',
    scope: 'downloads:write',
    params: { id: id() },
    query: { workspace_id: id() },
    success: 200,
    reply: z.object({ id: id(), status: z.literal('deleted') }),
  }),
  getFile: endpoint({
    method: 'GET',
    path: '/downloads/file/{file_id}',
    summary: 'An expiring URL of one file, without DRM',
    scope: 'downloads:write',
    params: { file_id: id() },
    query: {
      workspace_id: id(),
      /** Additive: an earlier version, for callers who manage files. */
      version: z.optional(position()),
    },
    success: 200,
    reply: expiringUrl,
  }),
}
