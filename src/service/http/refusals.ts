import type { FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { readId } from '../../contract/read-id.ts'
import type { Actor } from '../auth/actor.ts'
import { recallActor } from '../auth/recall-actor.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../base/errors.ts'
import { recordRefusal } from '../store/audit/audit.ts'
import { isNode } from './input/brackets.ts'
import { CONTENT_PREFIX, type ContentClaim } from '../content/content-url.ts'
import type { Services } from './context.ts'
import { createSharedRateLimit } from '../../wire/rates/shared-rate-limit.ts'
import { type RawInput, readSent } from './input/read-input.ts'

/** Statuses that say something about the caller; others are mistakes of a client program. */
const TELLING = new Set([403, 404, 409, 422])

interface Refused {
  /** The pool, because the transaction of the attempt was rolled back. */
  db: Db
  endpoint: AnyEndpoint
  actor: Actor
  raw: RawInput
  error: unknown
}

/**
 * Records a refused attempt in the audit trail of the workspace or organization. If that fails, it is still refused.
 */
export async function auditRefusal(request: FastifyRequest, { db, endpoint, actor, raw, error }: Refused) {
  if (!(error instanceof ApiError) || !TELLING.has(error.status)) return
  const path = request.raw.url?.split('?')[0] ?? ''
  const refusal = { status: error.status, method: endpoint.method, path, reason: error.message }
  await recordRefusal(db, actor, workspaceNamed(endpoint, raw), refusal).catch((failure: unknown) => {
    request.log.error({ err: failure }, 'a refused attempt could not be recorded')
  })
}

/** The workspace id that the endpoint takes: from the path or the sent parameters, including `group[workspace_id]`. */
function workspaceNamed(endpoint: AnyEndpoint, raw: RawInput): number | undefined {
  if (endpoint.path.startsWith('/workspaces/{id}')) return readId(raw.params['id'])
  if (raw.params['workspace_id'] !== undefined) return readId(raw.params['workspace_id'])
  const sent = tryToRead(endpoint, raw)
  const group = sent['group']
  return readId(sent['workspace_id']) ?? (isNode(group) ? readId(group['workspace_id']) : undefined)
}

function tryToRead(endpoint: AnyEndpoint, raw: RawInput): Record<string, unknown> {
  try {
    return readSent(endpoint, raw)
  } catch {
    return {}
  }
}

/** Interval between audit entries about one URL: it can be fetched without limit, and entries are never removed. */
const LOST_URL_EVERY_MS = 10 * 60_000

export type LostUrlAudit = (claim: ContentClaim, ip: string) => Promise<void>

/**
 * Records fetches of expiring URLs whose user has lost the right, once in a while for each user and subject. Omits the
 * URL itself, which is a credential.
 */
export function createLostUrlAudit(services: Services): LostUrlAudit {
  const { db, clock } = services
  const rate = { count: 1, periodMs: LOST_URL_EVERY_MS, burst: 1 }
  const entries = createSharedRateLimit('lost URLs', rate, clock, services)
  return async (claim, ip) => {
    const { user_id: id, organization_id, personal_key_id, workspace_id } = claim
    const subject = subjectOf(claim)
    if (entries.take(`${id} ${workspace_id} ${subject}`).waitMs > 0) return
    const actor = await recallActor(db, { id, organization_id, personal_key_id }, { ip, now: clock() })
    if (!actor) return
    const reason = `An expiring URL of the ${subject} does not apply any more.`
    await recordRefusal(db, actor, workspace_id, { status: 404, method: 'GET', path: CONTENT_PREFIX, reason })
  }
}

function subjectOf(claim: ContentClaim): string {
  if ('pdf_id' in claim) return `PDF ${claim.pdf_id} of terms`
  return 'download_id' in claim ? `download ${claim.download_id}` : `file ${claim.file_id}`
}
