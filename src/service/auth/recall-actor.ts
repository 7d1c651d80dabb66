import { sql } from 'kysely'
import type { Scope } from '../../contract/scopes.ts'
import type { Db } from '../db/pool.ts'
import { type ParametersOf, statement } from '../db/statement.ts'
import { stampOf } from '../base/secrets.ts'
import type { Actor } from './actor.ts'
import { isLiveSession } from './session-life.ts'

type Circumstances = Pick<Actor, 'ip' | 'now'>

interface Known {
  id: number
  organization_id: number
  /** The personal API key of the original request; null for the organization's key pair. */
  personal_key_id: number | null
  /** Stamp of the secret that signed the original request. */
  secret_stamp?: string | undefined
  /** The dashboard's session of the original request; null or absent if there was none. */
  session_id?: number | null
}

export type RecalledRow = Omit<
  Actor,
  keyof Circumstances | 'arrived' | 'request_id' | 'omit_user_tokens' | 'personal_key' | 'session_id'
> & { scopes: Scope[] | null; secret_sealed: Buffer | null }

export interface AskedAgain {
  organization_id: number
  caller_id: number
  key_id: number | null
  session: number | null
  now: Date
}

export type FindAgain = (db: Db, asked: AskedAgain) => Promise<RecalledRow[]>

/** Columns of `RecalledRow` from `recalled`. */
export const recalledColumns = sql`u.organization_id, u.id, u.email, u.first_name, u.last_name, u.status,
  u.organization_admin_since is not null as organization_admin, k.scopes, k.secret_sealed`

export const recalled = ({ key_id, now }: ParametersOf<AskedAgain>) => sql`users u
  left join api_keys k on k.organization_id = u.organization_id and k.user_id = u.id and k.id = ${key_id}::int
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)`

export const mayReturn = ({ organization_id, caller_id, key_id, session, now }: ParametersOf<AskedAgain>) => sql`
  u.organization_id = ${organization_id}::int and u.id = ${caller_id}::int and u.deleted_at is null
  and (${key_id}::int is null or k.id is not null)
  and (${session}::int is null or exists (select from sessions s where s.organization_id = u.organization_id
    and s.user_id = u.id and s.id = ${session} and ${isLiveSession(now)}))`

const recalledRows: FindAgain = statement<AskedAgain, RecalledRow>(
  (asked) => sql`select ${recalledColumns} from ${recalled(asked)} where ${mayReturn(asked)}`,
)

/**
 * Returns the user of an expiring URL that the service made, without a signature. The URL ends with the personal key or
 * the session that asked for it.
 */
export async function recallActor(
  db: Db,
  { id, organization_id, personal_key_id: keyId, secret_stamp, session_id: sessionId = null }: Known,
  at: Circumstances,
  find: FindAgain = recalledRows,
): Promise<Actor | undefined> {
  const asked = { organization_id, caller_id: id, key_id: keyId, session: sessionId, now: at.now }
  const [row] = await find(db, asked)
  if (!row) return undefined
  const { scopes, secret_sealed, email, first_name, last_name, status, organization_admin } = row
  const personal_key =
    keyId !== null && scopes && secret_sealed ? { id: keyId, scopes, secret_stamp: stampOf(secret_sealed) } : undefined
  if (secret_stamp !== undefined && secret_stamp !== personal_key?.secret_stamp) return undefined
  const user = { organization_id, id, email, first_name, last_name, status, organization_admin }
  return { ...user, ...at, request_id: null, omit_user_tokens: true, personal_key, session_id: sessionId ?? undefined }
}
