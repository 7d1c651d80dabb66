import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { HEADERS, verify } from '../../signing/signature.ts'
import { readId } from '../../contract/read-id.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Db } from '../db/pool.ts'
import { type ParametersOf, statement } from '../db/statement.ts'
import { retrying } from '../db/transaction.ts'
import { refusal, SessionEnded } from '../base/errors.ts'
import { hashOfToken, stampOf, type Vault } from '../base/secrets.ts'
import type { Actor } from './actor.ts'
import { isLiveSession } from './session-life.ts'

/** Maximum time from now until a signature expires (decisions, section 3). */
const MAX_AHEAD_SECONDS = 3600
const EXPIRES_FORM = /^[1-9][0-9]{0,10}$/
/** The dashboard's proxy names the session of a request here. An ended session is refused despite a valid signature. */
const SESSION = 'x-api-session'

/** What the statement finds about the caller of a request. */
export interface CallerRow {
  key_id: number
  scopes: Scope[] | null
  /** The key is personal, and its last recorded use is old enough to record another one. */
  use_is_due: boolean
  /** Null if the request names no session or one that has ended. */
  session_id: number | null
  /** The session's last recorded use is old enough to record another one. */
  sight_is_due: boolean
  secret_sealed: Buffer
  organization_id: number
  id: number | null
  email: string
  first_name: string
  last_name: string
  status: 'invited' | 'active'
  organization_admin: boolean
}

export interface Caller {
  headers: IncomingHttpHeaders
  ip: string
  request_id: string
  now: Date
}

/** The facts of a request by which its caller is found. */
export interface Asked {
  key: string
  token_hash: Buffer
  /** Null if the request names no session. */
  session: number | null
  now: Date
}

export type FindCaller = (db: Db, asked: Asked) => Promise<CallerRow[]>

/**
 * Turns four headers into an Actor (API description, Authentication; decisions, section 3).
 * @throws ApiError 401, with the same message for an unknown key, an unknown token and a wrong signature
 */
export async function authenticate(
  db: Db,
  vault: Vault,
  { headers, ip, request_id, now }: Caller,
  find: FindCaller = callerRows,
): Promise<Actor> {
  const key = required(headers, HEADERS.key)
  const token = required(headers, HEADERS.token)
  const signature = required(headers, HEADERS.signature)
  const expires = required(headers, HEADERS.expires)
  checkExpiry(expires, now)

  const session = readSession(headers)
  const asked = { key, token_hash: hashOfToken(token), session: session ?? null, now }
  const [row] = await retrying(() => find(db, asked), isReading)
  // Computes a signature even without a row, so that both refusals take the same time.
  const secret = row ? vault.openKey(row.secret_sealed) : 'unknown'
  const genuine = verify({ key, secret, token }, expires, signature)
  if (!row || row.id === null || !genuine) throw refusal('wrong_credentials')
  if (session !== undefined && row.session_id === null) throw new SessionEnded()
  if (row.use_is_due) noteUse(db, row, { ip, now })
  if (row.sight_is_due) noteSight(db, row, { ip, now })
  return {
    organization_id: row.organization_id,
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    status: row.status,
    organization_admin: row.organization_admin,
    ip,
    request_id,
    now,
    omit_user_tokens: headers['x-api-omit-user-tokens'] === 'true' || row.scopes !== null,
    personal_key: row.scopes
      ? { id: row.key_id, scopes: row.scopes, secret_stamp: stampOf(row.secret_sealed) }
      : undefined,
    session_id: row.session_id ?? undefined,
  }
}

const isReading = () => true

/** An invalid id becomes 0, which matches no session. */
function readSession(headers: IncomingHttpHeaders): number | undefined {
  const value = headers[SESSION]
  return value === undefined ? undefined : (readId(value) ?? 0)
}

function required(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') throw refusal('header_missing', { header: name })
  return value
}

function checkExpiry(expires: string, now: Date): void {
  const seconds = now.getTime() / 1000
  if (!EXPIRES_FORM.test(expires)) throw refusal('expires_malformed', { header: HEADERS.expires })
  if (Number(expires) <= seconds) throw refusal('signature_expired')
  if (Number(expires) > seconds + MAX_AHEAD_SECONDS) {
    throw refusal('signature_too_far_ahead', { seconds: MAX_AHEAD_SECONDS })
  }
}

/** Columns of `CallerRow` from `callers`. */
export const callerColumns = ({ now }: ParametersOf<Asked>) => sql`k.id as key_id,
  case when k.user_id is not null then k.scopes end as scopes,
  k.user_id is not null and coalesce(k.last_used_at <= ${now}::timestamptz - interval '1 minute', true) as use_is_due,
  s.id as session_id, coalesce(s.last_seen_at <= ${now}::timestamptz - interval '1 minute', false) as sight_is_due,
  k.secret_sealed, k.organization_id, u.id, u.email, u.first_name, u.last_name, u.status,
  u.organization_admin_since is not null as organization_admin`

/** The key `k`, its caller `u` and their session `s`. A personal key works only with the token of its own user. */
export const callers = ({ token_hash, session, now }: ParametersOf<Asked>) => sql`api_keys k
  left join users u on u.organization_id = k.organization_id and u.token_hash = ${token_hash}
    and u.deleted_at is null and u.id = coalesce(k.user_id, u.id)
  left join sessions s on s.organization_id = u.organization_id and s.user_id = u.id and s.id = ${session}::int
    and ${isLiveSession(now)}`

export const hasKey = ({ key, now }: ParametersOf<Asked>) => sql`k.public_key = ${key} and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > ${now})`

const callerRows: FindCaller = statement<Asked, CallerRow>(
  (asked) => sql`select ${callerColumns(asked)} from ${callers(asked)} where ${hasKey(asked)}`,
)

/** The request does not wait for this update. If it fails, the next use is recorded instead. */
function noteUse(db: Db, { key_id, organization_id }: CallerRow, { ip, now }: Pick<Caller, 'ip' | 'now'>): void {
  db.updateTable('api_keys')
    .set({ last_used_at: now, last_used_ip: ip })
    .where('organization_id', '=', organization_id)
    .where('id', '=', key_id)
    .execute()
    .catch(() => {})
}

function noteSight(db: Db, { session_id, organization_id }: CallerRow, { ip, now }: Pick<Caller, 'ip' | 'now'>): void {
  db.updateTable('sessions')
    .set({ last_seen_at: now, ip })
    .where('organization_id', '=', organization_id)
    .where('id', '=', session_id)
    .execute()
    .catch(() => {})
}
