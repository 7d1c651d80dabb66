import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '../../../contract/scopes.ts'
import type { Organization } from '../../access/scopes.ts'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import { newToken, type Vault } from '../../base/secrets.ts'
import { holdUser } from './users.ts'

export type ApiKeyRow = Reply<Api['apiKeys']['list']>['api_keys'][number]

export interface ApiKeyChanges {
  name?: string | undefined
  scopes?: Scope[] | undefined
  expires_at?: string | null | undefined
}

const columns = ({ now }: Actor) => sql`k.id, k.name, k.public_key, k.scopes,
  case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${now} then 'expired' else 'active' end as status,
  k.expires_at, k.last_used_at, k.last_used_ip, k.created_at, k.updated_at`

/** The caller's own personal keys, newest first. */
export async function listApiKeys(db: Db, { id, actor }: Organization): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select ${columns(actor)} from api_keys k
    where k.organization_id = ${id} and k.user_id = ${actor.id} order by k.id desc`.execute(db)
  return rows
}

const MAX_END = new Date('9999-12-31T23:59:59.999Z')

/** Returns the secret, which cannot be read again later. */
export async function insertApiKey(
  db: Db,
  vault: Vault,
  organization: Organization,
  { name, scopes, expires_at = null }: ApiKeyChanges & { name: string; scopes: Scope[] },
): Promise<ApiKeyRow & { secret_key: string }> {
  const { id: organization_id, actor } = organization
  const end = readEnd(expires_at, actor)
  await holdUser(db, organization, actor.id)
  const secret_key = newSecret()
  const { id } = await db
    .insertInto('api_keys')
    .values({
      organization_id,
      user_id: actor.id,
      name,
      public_key: newToken(),
      secret_sealed: vault.seal(secret_key),
      scopes: [...new Set(scopes)],
      expires_at: end,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...(await lockApiKey(db, organization, id)), secret_key }
}

/** Changes only the given fields. Revocation is permanent. @throws ApiError 409 for a key that was revoked before */
export async function updateApiKey(
  db: Db,
  organization: Organization,
  id: number,
  { scopes, revoked = false, expires_at, ...changes }: ApiKeyChanges & { revoked?: boolean | undefined },
): Promise<{ before: ApiKeyRow; key: ApiKeyRow }> {
  const end = expires_at === undefined ? undefined : readEnd(expires_at, organization.actor)
  const before = await lockApiKey(db, organization, id)
  refuseRevoked(before)
  await db
    .updateTable('api_keys')
    .set({
      ...changes,
      expires_at: end,
      ...(scopes && { scopes: [...new Set(scopes)] }),
      ...(revoked && { revoked_at: sql`now()` }),
      updated_at: sql`now()`,
    })
    .where('organization_id', '=', organization.id)
    .where('id', '=', id)
    .execute()
  return { before, key: await lockApiKey(db, organization, id) }
}

/** Replaces the secret by a new one. @throws ApiError 409 for a key that was revoked before */
export async function rotateApiKey(
  db: Db,
  vault: Vault,
  organization: Organization,
  id: number,
): Promise<ApiKeyRow & { secret_key: string }> {
  refuseRevoked(await lockApiKey(db, organization, id))
  const secret_key = newSecret()
  await db
    .updateTable('api_keys')
    .set({ secret_sealed: vault.seal(secret_key), updated_at: sql`now()` })
    .where('organization_id', '=', organization.id)
    .where('id', '=', id)
    .execute()
  return { ...(await lockApiKey(db, organization, id)), secret_key }
}

/** Returns a key of the caller's own and locks it until the end of the transaction. */
async function lockApiKey(db: Db, { id: organizationId, actor }: Organization, id: number): Promise<ApiKeyRow> {
  const { rows } = await sql<ApiKeyRow>`
    select ${columns(actor)} from api_keys k
    where k.organization_id = ${organizationId} and k.user_id = ${actor.id} and k.id = ${id} for update`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

function refuseRevoked({ status }: ApiKeyRow): void {
  if (status === 'revoked') throw refusal('key_revoked')
}

/** Normalizes a time for the database: clients may write longer fractions and offsets, and years beyond ISO 8601. */
function readEnd(expiresAt: string | null, { now }: Actor): string | null {
  if (expiresAt === null) return null
  const end = new Date(expiresAt)
  if (!(end <= MAX_END)) throw unprocessable('expires_at', 'before_year_10000')
  if (end <= now) throw unprocessable('expires_at', 'future_time')
  return end.toISOString()
}

/** 64 lower-case hex (decisions, section 1). */
const newSecret = () => randomBytes(32).toString('hex')
