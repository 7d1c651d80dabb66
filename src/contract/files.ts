import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fileName, id, page, perPage, position, timestamp } from './fields.ts'

export const fileCompact = z.object({
  id: id(),
  title: z.string(),
  file_name: z.string(),
  /** Bytes, in decimal. */
  file_size: z.string(),
  file_content_type: z.string(),
  index: z.int(),
  created_at: timestamp(),
  updated_at: timestamp(),
  /** Additive. */
  folder_id: id(),
  version: z.int(),
  pages: z.int(),
  /** Null before a scan. */
  infected: z.nullable(z.boolean()),
})

export const viewerImage = z.object({
  status: z.enum(['Pending', 'Processing', 'Ready', 'Failed', 'Unsupported']),
  page_number: z.int(),
  /** "" until Ready. */
  expiring_url: z.string(),
  expiring_thumbnail_url: z.string(),
})

export const fileMapped = z.object({
  ...fileCompact.shape,
  viewer_image: viewerImage,
  /** Lower-case hex, of the current version. */
  sha256: z.string(),
})

export const fileSearchResult = z.object({
  id: id(),
  title: z.string(),
  file_name: z.string(),
  file_content_type: z.string(),
  index: z.int(),
  folder_id: id(),
  folder_name: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  file_size: z.string(),
  /** Readable path of the folder: "/Finance/2025". */
  folder_path: z.string(),
})

const copyResult = z.object({ message: z.string(), success: z.literal('true'), ...fileMapped.shape })

const params = { id: id() }
const workspace_id = id()

export const files = {
  search: endpoint({
    method: 'GET',
    path: '/files/search',
    summary: 'Find files by title',
    scope: 'files:read',
    query: {
      workspace_id,
      q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
      page: page(),
      per_page: perPage(25),
    },
    success: 200,
    reply: z.array(fileSearchResult),
  }),
  upload: endpoint({
    method: 'PUT',
    path: '/files/upload',
    summary: 'Upload a file, or a new version of the file of that name',
    scope: 'files:write',
    query: { workspace_id, folder_id: id(), file_name: fileName() },
    raw: true,
    success: 200,
    reply: fileCompact,
  }),
  infoBatch: endpoint({
    method: 'POST',
    path: '/files/info/batch',
    summary: 'Several files at once; those the caller may not view are left out',
    scope: 'files:read',
    body: { workspace_id, file_ids: z.array(id()).check(z.maxLength(1000)) },
    success: 201,
    reply: z.array(fileCompact),
  }),
  get: endpoint({
    method: 'GET',
    path: '/files/{id}',
    summary: 'One file with its viewer image',
    scope: 'files:read',
    params,
    query: { workspace_id, page_number: z._default(position(), 1) },
    success: 200,
    reply: fileMapped,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/files/{id}',
    summary: 'Give a file another title or place in its folder',
    scope: 'files:write',
    params,
    body: { workspace_id, file: z.object({ title: z.optional(fileName()), index: z.optional(position()) }) },
    success: 200,
    reply: fileMapped,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/files/{id}',
    summary: 'Delete a file',
    scope: 'files:write',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.object({ id: id(), deleted: timestamp() }),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/files/{id}/copy',
    summary: 'Copy a file into another folder',
    scope: 'files:write',
    params,
    body: { workspace_id, destination_folder_id: id() },
    success: 201,
    reply: copyResult,
  }),
  move: endpoint({
    method: 'POST',
    path: '/files/{id}/move',
    summary: 'Move a file into another folder',
    scope: 'files:write',
    params,
    body: { workspace_id, destination_folder_id: id() },
    success: 201,
    reply: copyResult,
  }),
}
