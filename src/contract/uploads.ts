import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fileName, id, timestamp } from './fields.ts'
import { fileCompact } from './files.ts'

/** Bytes, in decimal: they may be more than an id can be. */
const byteCount = () => z.string().check(z.regex(/^\d{1,15}$/, 'must be a number of bytes'))

/** Additive section: uploads in chunks, which go on where they stopped. Each is its own user's alone. */
export const upload = z.object({
  id: id(),
  workspace_id: id(),
  folder_id: id(),
  file_name: z.string(),
  /** Bytes of the whole file, in decimal. */
  size: z.string(),
  /** Bytes that are safely here, in decimal: where the next chunk begins. */
  offset: z.string(),
  /** Bytes that a chunk may have at most. */
  chunk_size: z.int(),
  /** The file that it became; null before it is finished. */
  file_id: z.nullable(id()),
  created_at: timestamp(),
  /** It is given up then, unless another chunk comes. */
  expires_at: timestamp(),
})

const params = { id: id() }
const workspace_id = id()

export const uploads = {
  create: endpoint({
    method: 'POST',
    path: '/uploads',
    summary: 'Begin an upload in chunks; nobody sees anything of it before it is finished',
    scope: 'files:write',
    body: {
      workspace_id,
      folder_id: id(),
      file_name: fileName(),
      size: byteCount(),
      /** Of the whole file, hex: finishing is refused where another one comes out. */
      sha256: z.optional(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits'))),
    },
    success: 201,
    reply: upload,
  }),
  append: endpoint({
    method: 'PUT',
    path: '/uploads/chunk',
    summary: 'Add the next chunk; 409 at any other place, with the right one in the header Upload-Offset',
    scope: 'files:write',
    query: { workspace_id, id: id(), offset: byteCount() },
    raw: true,
    success: 200,
    reply: upload,
  }),
  get: endpoint({
    method: 'GET',
    path: '/uploads/{id}',
    summary: 'How far an upload of the current user is',
    scope: 'files:write',
    params,
    query: { workspace_id },
    success: 200,
    reply: upload,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/uploads/{id}/finish',
    summary: 'Make a complete upload a file, or a new version; asked again it gives the same file',
    scope: 'files:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: fileCompact,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/uploads/{id}',
    summary: 'Give an unfinished upload up',
    scope: 'files:write',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.object({ id: id(), status: z.literal('deleted') }),
  }),
}
