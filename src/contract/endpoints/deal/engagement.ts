import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { id, position } from '../../fields.ts'

/** Most that one batch may hold, and most that a reader who was away may tell of at once. Milliseconds. */
export const MAX_BATCH_MS = 120_000
export const MAX_BATCH_PAGES = 100

export const engagement = {
  /** Additive. Not for personal keys: only the window in which pages are read knows for how long. */
  record: endpoint({
    method: 'POST',
    path: '/files/{id}/reading_times',
    summary: 'Tell for how long the caller has read pages of a file',
    params: { id: id() },
    body: {
      workspace_id: id(),
      version: position(),
      /** Made by the client: a batch that comes twice counts once. */
      batch_id: z.uuid(),
      pages: z
        .array(z.object({ page_number: position(), ms: z.int().check(z.minimum(1), z.maximum(MAX_BATCH_MS)) }))
        .check(z.minLength(1), z.maxLength(MAX_BATCH_PAGES)),
    },
    success: 204,
  }),
}
