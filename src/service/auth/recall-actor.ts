import { sql } from 'kysely'
import type { Scope } from '../../contract/scopes.ts'
import type { Db } from '../db/pool.ts'
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

type Row = Omit<Actor, keyof Circumstances | 'request_id' | 'omit_user_tokens' | 'personal_key' | 'session_id'> & {
  scopes: Scope[] | null
  secret_sealed: Buffer | null
}

/**
 * Returns the user of an expiring URL that the service made, without a signature. The URL ends with the personal key or
 * the session that asked for it.
 */
export async function recallActor(
  db: Db,
  { id, organization_id, personal_key_id: keyId, secret_stamp, session_id: sessionId = null }: Known,
  at: Circumstances,
): Promise<Actor | undefined> {
  const { rows } = await sql<Row>`
    select u.organization_id, u.id, u.email, u.first_name, u.last_name, u.status,
      u.organization_admin_since is not null as organization_admin, k.scopes, k.secret_sealed
    from users u
    left join api_keys k on k.organization_id = u.organization_id and k.user_id = u.id and k.id = ${keyId}
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at.now})
    where u.organization_id = ${organization_id} and u.id = ${id} and u.deleted_at is null
      and (${keyId}::int is null or k.id is not null)
      and (${sessionId}::int is null or exists (select from sessions s where s.organization_id = u.organization_id
        and s.user_id = u.id and s.id = ${sessionId} and ${isLiveSession(at.now)}))`.execute(db)
  if (!rows[0]) return undefined
  const { scopes, secret_sealed, ...user } = rows[0]
  const personal_key =
    keyId !== null && scopes && secret_sealed ? { id: keyId, scopes, secret_stamp: stampOf(secret_sealed) } : undefined
  if (secret_stamp !== undefined && secret_stamp !== personal_key?.secret_stamp) return undefined
  return { ...user, ...at, request_id: null, omit_user_tokens: true, personal_key, session_id: sessionId ?? undefined }
}
