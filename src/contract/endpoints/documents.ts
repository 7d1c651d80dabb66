import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, page, perPage, timestamp } from '../fields.ts'
import { fileKind, reason, viewerStatus } from './files.ts'

/** Additive section: the progress of reading uploaded files, for workspace admins. */
export const document = z.object({
  file_id: id(),
  title: z.string(),
  folder_id: id(),
  /** Readable path of the folder: "/Finance/2025". */
  folder_path: z.string(),
  /** Additive: as for files that are found. */
  numbered_folder_path: z.string(),
  version: z.int(),
  file_content_type: z.string(),
  kind: fileKind(),
  /** Bytes, in decimal. */
  file_size: z.string(),
  status: viewerStatus(),
  infected: z.nullable(z.boolean()),
  /** The problem, as a sentence for people; "" without one. */
  ...reason(),
  /** Attempts so far at the current or abandoned work; 0 without any. */
  attempts: z.int(),
  /** Time of the next attempt; null where none will follow automatically. */
  next_attempt_at: z.nullable(timestamp()),
  updated_at: timestamp(),
})

export const documents = {
  list: endpoint({
    method: 'GET',
    path: '/documents',
    summary: 'Files that cannot be shown, or not yet: failed ones first',
    scope: 'files:read',
    query: {
      workspace_id: id(),
      status: z._default(z.enum(['failed', 'unsupported', 'waiting', 'all']), 'all'),
      page: page(),
      per_page: perPage(25),
    },
    success: 200,
    reply: z.array(document),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/documents/retry',
    summary: 'Read the given files again, or all that failed',
    scope: 'files:write',
    body: { workspace_id: id(), file_ids: z.optional(z.array(id()).check(z.maxLength(1000))) },
    success: 200,
    /** `retried` counts documents; several files may be copies of one. */
    reply: z.object({ retried: z.int(), message: z.string() }),
  }),
}
