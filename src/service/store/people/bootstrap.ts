import { sql } from 'kysely'
import type { Bootstrap } from '../../base/config.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { hashOfToken, type Vault } from '../../base/secrets.ts'
import { type Deed, recordForOrganizationAs } from '../audit/audit.ts'
import { sealToken } from './users.ts'

/**
 * Ensures that the configured organization, key pair and organization admin exist. An empty database gets its first
 * organization. A new key pair is added to the existing ones. A new token replaces the token of the user with the same
 * e-mail. Nodes that start together wait for each other.
 */
export async function bootstrap(db: Db, vault: Vault, named: Bootstrap): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`lock table organizations in share row exclusive mode`.execute(tx)
    const organizationId = await ensureOrganization(tx, named)
    const keyPair = await ensureKeyPair(tx, vault, organizationId, named)
    const admin = await ensureAdmin(tx, vault, organizationId, named)
    await recordChanges(tx, organizationId, admin, { ...keyPair, user: admin.change })
  })
}

/** The id of a configured object, and how the object changed, if at all. */
interface Ensured {
  id: number
  change: 'added' | 'replaced' | undefined
}

/** Records the changes as deeds of the configured admin, without an IP address. */
async function recordChanges(
  db: Db,
  organizationId: number,
  admin: Ensured,
  { id, change, user }: Ensured & { user: Ensured['change'] },
): Promise<void> {
  const deeds: Deed[] = []
  if (change) {
    deeds.push({ act: `key_pair_${change}`, subject_id: id })
  }
  if (user) {
    deeds.push({ act: `admin_token_${user}`, subject_id: admin.id })
  }
  if (deeds.length === 0) return
  const doer = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', admin.id)
    .executeTakeFirstOrThrow()
  const nowhere = { ip: '', request_id: null, personal_key: undefined }
  await recordForOrganizationAs(db, organizationId, { ...doer, ...nowhere }, ...deeds)
}

/** Returns the organization of the key pair, or else the oldest one, or else a new one. */
async function ensureOrganization(db: Db, { apiKey }: Bootstrap): Promise<number> {
  const found = await db
    .selectFrom('organizations as o')
    .leftJoin('api_keys as k', (join) => join.onRef('k.organization_id', '=', 'o.id').on('k.public_key', '=', apiKey))
    .select('o.id')
    .orderBy('k.id', (order) => order.asc().nullsLast())
    .orderBy('o.id')
    .limit(1)
    .executeTakeFirst()
  if (found) return found.id
  const { id } = await db
    .insertInto('organizations')
    .values({ name: 'Strongroom' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function ensureKeyPair(db: Db, vault: Vault, organizationId: number, named: Bootstrap): Promise<Ensured> {
  const existing = await db
    .selectFrom('api_keys')
    .select(['id', 'user_id', 'secret_sealed', 'revoked_at'])
    .where('public_key', '=', named.apiKey)
    .executeTakeFirst()
  if (!existing) {
    const keyPair = { name: 'Organization', public_key: named.apiKey, secret_sealed: vault.seal(named.apiSecret) }
    const { id } = await db
      .insertInto('api_keys')
      .values({ organization_id: organizationId, user_id: null, ...keyPair })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, change: 'added' }
  }
  if (existing.user_id !== null) throw new Error('BOOTSTRAP_API_KEY is the personal API key of a user.')
  const { id } = existing
  const isSame = open(vault, existing.secret_sealed) === named.apiSecret && existing.revoked_at === null
  if (isSame) return { id, change: undefined }
  await db
    .updateTable('api_keys')
    .set({ secret_sealed: vault.seal(named.apiSecret), revoked_at: null, updated_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  return { id, change: 'replaced' }
}

function open(vault: Vault, sealed: Buffer): string {
  try {
    return vault.open(sealed)
  } catch {
    throw new Error('MASTER_KEY is not the one that the secrets in this database are sealed with.')
  }
}

async function ensureAdmin(db: Db, vault: Vault, organizationId: number, named: Bootstrap): Promise<Ensured> {
  const found = await findAdmin(db, organizationId, named)
  if (!found) {
    const { id } = await db
      .insertInto('users')
      .values({
        organization_id: organizationId,
        email: named.adminEmail,
        status: 'active',
        organization_admin_since: sql`now()`,
        email_verified_at: sql`now()`,
        ...sealToken(vault, named.adminToken),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, change: 'added' }
  }
  const { id } = found
  if (found.is_ready) return { id, change: undefined }
  await db
    .updateTable('users')
    .set({
      status: 'active',
      organization_admin_since: sql`coalesce(organization_admin_since, now())`,
      updated_at: sql`now()`,
      ...sealToken(vault, named.adminToken),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  return { id, change: 'replaced' }
}

/**
 * Returns the user who holds the token, whatever their e-mail is by now, or else the user with the configured e-mail.
 * @throws Error if that user has not proved the e-mail and is not an organization admin
 */
async function findAdmin(db: Db, organizationId: number, { adminToken, adminEmail }: Bootstrap) {
  const holds = sql`u.token_hash = ${hashOfToken(adminToken)}`
  const { rows } = await sql<{ id: number; is_ready: boolean; may_become_admin: boolean }>`
    select u.id, ${holds} or u.email_verified_at is not null or u.organization_admin_since is not null as may_become_admin,
      ${holds} and u.status = 'active' and u.organization_admin_since is not null as is_ready
    from users u
    where u.organization_id = ${organizationId} and u.deleted_at is null
      and (${holds} or lower(u.email) = lower(${adminEmail}))
    order by ${holds} desc limit 1`.execute(db)
  if (rows[0]?.may_become_admin === false) {
    throw new Error(
      `BOOTSTRAP_ADMIN_EMAIL is the address of the user ${rows[0].id}, who has not proved it. ` +
        'Let them sign in with a code, delete them, or name another address.',
    )
  }
  return rows[0]
}
