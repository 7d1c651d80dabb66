import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, timestamp } from '../fields.ts'

/** 64 hex characters. */
const hash = z.string()

/** One act or refused attempt. Fields that do not apply are null. */
export const auditEntry = z.object({
  at: timestamp(),
  user_id: id(),
  user_name: z.string(),
  user_email: z.string(),
  personal_key_id: z.nullable(id()),
  ip: z.string(),
  request_id: z.nullable(z.string()),
  /** The verb of the activity; `refused` for a refused attempt. */
  verb: z.string(),
  message: z.string(),
  subject_type: z.nullable(z.string()),
  subject_id: z.nullable(id()),
  /** Field -> value before and after. */
  changes: z.nullable(
    z.record(z.string(), z.object({ before: z.optional(z.unknown()), after: z.optional(z.unknown()) })),
  ),
  refusal: z.nullable(z.object({ status: z.int(), method: z.string(), path: z.string(), reason: z.string() })),
})

const mark = { seq: z.int(), hash, signed_at: timestamp(), signature: z.string() }

/** The personal data of one user in an entry. The record's hash uses its digest, which outlives an erasure. */
const personal = z.object({
  of: id(),
  /** Field -> value shown once the person's data is erased. */
  erased: z.record(z.string(), z.unknown()),
  /** Present while the entry shows the data. */
  salt: z.optional(hash),
  /** Present once the data is erased: the digest in the record's hash. */
  digest: z.optional(hash),
})

/** A line of an export: `trail` first, then records with signed checkpoints between them, the signed head last. */
export const auditLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('trail'),
    format: z.enum(['strongroom-audit/1', 'strongroom-audit/2']),
    /** Exactly one of the two ids names the owner of the trail. */
    workspace_id: z.optional(id()),
    organization_id: z.optional(id()),
    /** Ed25519, DER (SPKI) in base64. */
    public_key: z.string(),
  }),
  z.object({
    type: z.literal('record'),
    seq: z.int(),
    hash,
    entry: auditEntry,
    /** Absent in records of the first format. */
    personal: z.optional(z.array(personal)),
  }),
  z.object({ type: z.literal('checkpoint'), ...mark }),
  z.object({ type: z.literal('head'), ...mark }),
])

export const audit = {
  export: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/audit',
    summary: 'The audit trail of a workspace as JSON lines; `npm run audit:verify` checks it',
    scope: 'activities:read',
    params: { id: id() },
    success: 200,
    reply: z.array(auditLine),
    jsonLines: true,
  }),
  exportOrganization: endpoint({
    method: 'GET',
    path: '/organization/audit',
    summary: 'The audit trail of what happens outside of workspaces, as JSON lines',
    scope: 'organization:read',
    success: 200,
    reply: z.array(auditLine),
    jsonLines: true,
  }),
}
