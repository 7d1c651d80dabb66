import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { HEADERS, verify } from '../../signing/signature.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Db } from '../db/pool.ts'
import { SessionEnded, unauthenticated } from '../errors.ts'
import { hashOfToken, stampOf, type Vault } from '../secrets.ts'
import type { Actor } from './actor.ts'
import { isLiveSession } from './session-life.ts'

/** A signature may expire this far ahead at most (decisions, section 3). */
const MAX_AHEAD_SECONDS = 3600
const EXPIRES_FORM = /^[1-9][0-9]{0,10}$/
/** The dashboard's proxy names the session that a request came from; signed for it or not, an ended one opens nothing. */
const SESSION = 'x-api-session'
const INT32_MAX = 2_147_483_647

interface Row {
  key_id: number
  /** Of a personal key. */
  scopes: Scope[] | null
  /** A personal key whose last use was noted long enough ago to be noted again. */
  use_is_due: boolean
  /** Null: none was named, or it is over. */
  session_id: number | null
  /** A session that was noted as seen long enough ago to be noted again. */
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

/**
 * Four headers -> Actor (API description, Authentication; decisions, section 3).
 * @throws ApiError 401. An unknown key, an unknown token and a wrong signature give the same words.
 */
export async function authenticate(db: Db, vault: Vault, { headers, ip, request_id, now }: Caller): Promise<Actor> {
  const key = required(headers, HEADERS.key)
  const token = required(headers, HEADERS.token)
  const signature = required(headers, HEADERS.signature)
  const expires = required(headers, HEADERS.expires)
  checkExpiry(expires, now)

  const session = readSession(headers)
  const row = await findCaller(db, { key, token, session, now })
  // Without a row, one signature is computed all the same: both refusals take the same time.
  const secret = row ? vault.open(row.secret_sealed) : 'unknown'
  const genuine = verify({ key, secret, token }, expires, signature)
  if (!row || row.id === null || !genuine) throw unauthenticated('The key, the user token or the signature is wrong.')
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

/** What is no id names no session: 0, which none has. */
function readSession(headers: IncomingHttpHeaders): number | undefined {
  const value = headers[SESSION]
  if (value === undefined) return undefined
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0
  return id <= INT32_MAX ? id : 0
}

function required(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') throw unauthenticated(`The header ${name} is missing.`)
  return value
}

function checkExpiry(expires: string, now: Date): void {
  const seconds = now.getTime() / 1000
  if (!EXPIRES_FORM.test(expires)) throw unauthenticated(`The header ${HEADERS.expires} must be Unix seconds.`)
  if (Number(expires) <= seconds) throw unauthenticated('The signature has expired.')
  if (Number(expires) > seconds + MAX_AHEAD_SECONDS) {
    throw unauthenticated(`The signature expires more than ${MAX_AHEAD_SECONDS} seconds ahead.`)
  }
}

/** A personal key works with its own user's token alone. */
async function findCaller(
  db: Db,
  { key, token, session, now }: { key: string; token: string; session: number | undefined; now: Date },
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select k.id as key_id, case when k.user_id is not null then k.scopes end as scopes,
      k.user_id is not null and coalesce(k.last_used_at <= ${now}::timestamptz - interval '1 minute', true) as use_is_due,
      s.id as session_id, coalesce(s.last_seen_at <= ${now}::timestamptz - interval '1 minute', false) as sight_is_due,
      k.secret_sealed, k.organization_id, u.id, u.email, u.first_name, u.last_name, u.status,
      u.organization_admin_since is not null as organization_admin
    from api_keys k
    left join users u on u.organization_id = k.organization_id and u.token_hash = ${hashOfToken(token)}
      and u.deleted_at is null and u.id = coalesce(k.user_id, u.id)
    left join sessions s on s.organization_id = u.organization_id and s.user_id = u.id and s.id = ${session ?? null}::int
      and ${isLiveSession(now)}
    where k.public_key = ${key} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`.execute(
    db,
  )
  return rows[0]
}

/** Beside the request, which does not wait for it; a use that could not be noted is noted with the next one. */
function noteUse(db: Db, { key_id, organization_id }: Row, { ip, now }: Pick<Caller, 'ip' | 'now'>): void {
  db.updateTable('api_keys')
    .set({ last_used_at: now, last_used_ip: ip })
    .where('organization_id', '=', organization_id)
    .where('id', '=', key_id)
    .execute()
    .catch(() => {})
}

function noteSight(db: Db, { session_id, organization_id }: Row, { ip, now }: Pick<Caller, 'ip' | 'now'>): void {
  db.updateTable('sessions')
    .set({ last_seen_at: now, ip })
    .where('organization_id', '=', organization_id)
    .where('id', '=', session_id)
    .execute()
    .catch(() => {})
}
