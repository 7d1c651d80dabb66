import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { saying } from '../field-rules.ts'
import { id, page, perPage, timestamp } from '../fields.ts'

/** Why a sealed copy does not open. */
export const openingRefusals = [
  'other_person',
  'revoked',
  'not_member',
  'terms_not_accepted',
  'deleted',
  'infected',
  'access_ended',
  'no_right',
  'drm_off',
  'drm_expired',
] as const

/** Additive section: sealed copies and their openings (decisions, section 8). */
export const sealedCopy = z.object({
  copy_id: z.string(),
  workspace_id: id(),
  file_id: id(),
  /** The current title of the file. */
  title: z.string(),
  version: z.int(),
  pages: z.int(),
  /** The user for whom the copy was made, and the only one who may open it. */
  user_id: id(),
  user_name: z.string(),
  /** The groups with DRM through which the copy was made, without those deleted since. */
  groups: z.array(z.object({ id: id(), name: z.string() })),
  openings: z.int(),
  refusals: z.int(),
  last_opened_at: z.nullable(timestamp()),
  created_at: timestamp(),
  revoked_at: z.nullable(timestamp()),
  revoked_by_id: z.nullable(id()),
})

export const sealedOpening = z.object({
  id: id(),
  user_id: id(),
  user_name: z.string(),
  opened: z.boolean(),
  /** Null where the copy was opened. */
  refusal: z.nullable(z.enum(openingRefusals)),
  created_at: timestamp(),
})

const params = { copy_id: z.uuid() }
const workspace_id = id()
const userCode = () => z.string().check(z.trim(), z.maxLength(20))
/** SHA-256 in base64url. */
const challenge = () => z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, saying('challenge')))

export const sealedCopies = {
  list: endpoint({
    method: 'GET',
    path: '/sealed_copies',
    summary: 'Sealed copies of a workspace, of one of its files or groups, or of one user, newest first',
    scope: 'files:read',
    query: {
      workspace_id,
      file_id: z.optional(id()),
      group_id: z.optional(id()),
      user_id: z.optional(id()),
      page: page(),
      per_page: perPage(25),
    },
    success: 200,
    reply: z.array(sealedCopy),
  }),
  openings: endpoint({
    method: 'GET',
    path: '/sealed_copies/{copy_id}/openings',
    summary: 'Who opened a sealed copy or was refused, the newest hundred',
    scope: 'files:read',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.array(sealedOpening),
  }),
  revoke: endpoint({
    method: 'PUT',
    path: '/sealed_copies/{copy_id}/revoke',
    summary: 'Let a sealed copy open no more',
    scope: 'files:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: sealedCopy,
  }),
  restore: endpoint({
    method: 'PUT',
    path: '/sealed_copies/{copy_id}/restore',
    summary: 'Let a revoked copy open again',
    scope: 'files:write',
    params,
    body: { workspace_id },
    success: 200,
    reply: sealedCopy,
  }),
  request: endpoint({
    method: 'GET',
    path: '/sealed_copies/request',
    summary: 'The copy of the current user that waits for a code to be entered',
    query: { user_code: userCode() },
    success: 200,
    /** `title` is "" where the current user may not view the file. */
    reply: z.object({ workspace_id, copy_id: z.string(), challenge: z.string(), title: z.string() }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/sealed_copies/{copy_id}/openings',
    summary: 'Release the key of a sealed copy to the reader that asks for it',
    params,
    /** `user_code` is the code shown by a waiting reader. Without it, the key is released to a window. */
    body: { workspace_id, challenge: challenge(), user_code: z.optional(userCode()) },
    success: 201,
    /** `code` lets the asking window fetch the key once, within a minute; "" where the reader waits for a user code. */
    reply: z.object({
      opened: z.boolean(),
      code: z.string(),
      refusal: z.nullable(z.enum(openingRefusals)),
      message: z.string(),
    }),
  }),
}
