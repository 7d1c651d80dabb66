import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { saying } from '../field-rules.ts'
import { fileName, id, sha256Hex, timestamp } from '../fields.ts'
import { fileCompact } from './files.ts'

/** Bytes, in decimal: the number may exceed the range of an id. */
const byteCount = () => z.string().check(z.regex(/^\d{1,15}$/, saying('byte_count')))

/** Additive section: resumable uploads in chunks. An upload is visible to its own user only. */
export const upload = z.object({
  id: id(),
  workspace_id: id(),
  folder_id: id(),
  file_name: z.string(),
  /** Bytes of the whole file, in decimal. */
  size: z.string(),
  /** Bytes stored so far, in decimal: the start of the next chunk. */
  offset: z.string(),
  /** Maximum bytes of a chunk. */
  chunk_size: z.int(),
  /** The resulting file; null until the upload is finished. */
  file_id: z.nullable(id()),
  created_at: timestamp(),
  /** The upload is abandoned then, unless another chunk arrives. */
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
      /** SHA-256 of the whole file, hex: finishing is refused where the content differs. */
      sha256: z.optional(sha256Hex()),
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
