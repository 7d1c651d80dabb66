import { sql } from 'kysely'
import type { Bootstrap } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { hashOfToken, type Vault } from '../secrets.ts'
import { sealToken } from './users.ts'

/**
 * Makes sure of the organization, the key pair and the organization admin that the configuration names. An empty
 * database gets its first organization; a new key pair joins the ones there are; a new token replaces the one of the
 * same e-mail. Nodes that start together wait for each other.
 */
export async function bootstrap(db: Db, vault: Vault, named: Bootstrap): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`lock table organizations in share row exclusive mode`.execute(tx)
    const organizationId = await ensureOrganization(tx, named)
    await ensureKeyPair(tx, vault, organizationId, named)
    await ensureAdmin(tx, vault, organizationId, named)
  })
}

/** The organization of the key pair, else the oldest, else a new one. */
async function ensureOrganization(db: Db, { apiKey }: Bootstrap): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select o.id from organizations o
    left join api_keys k on k.organization_id = o.id and k.public_key = ${apiKey}
    order by k.id nulls last, o.id limit 1`.execute(db)
  if (rows[0]) return rows[0].id
  const { id } = await db
    .insertInto('organizations')
    .values({ name: 'Strongroom' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function ensureKeyPair(db: Db, vault: Vault, organizationId: number, named: Bootstrap): Promise<void> {
  const existing = await db
    .selectFrom('api_keys')
    .select(['id', 'user_id', 'secret_sealed', 'revoked_at'])
    .where('public_key', '=', named.apiKey)
    .executeTakeFirst()
  if (!existing) {
    const keyPair = { name: 'Organization', public_key: named.apiKey, secret_sealed: vault.seal(named.apiSecret) }
    await db
      .insertInto('api_keys')
      .values({ organization_id: organizationId, user_id: null, ...keyPair })
      .execute()
    return
  }
  if (existing.user_id !== null) throw new Error('BOOTSTRAP_API_KEY is the personal API key of a user.')
  if (open(vault, existing.secret_sealed) === named.apiSecret && existing.revoked_at === null) return
  await db
    .updateTable('api_keys')
    .set({ secret_sealed: vault.seal(named.apiSecret), revoked_at: null, updated_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', existing.id)
    .execute()
}

function open(vault: Vault, sealed: Buffer): string {
  try {
    return vault.open(sealed)
  } catch {
    throw new Error('MASTER_KEY is not the one that the secrets in this database are sealed with.')
  }
}

async function ensureAdmin(db: Db, vault: Vault, organizationId: number, named: Bootstrap): Promise<void> {
  const found = await findAdmin(db, organizationId, named)
  if (!found) {
    await db
      .insertInto('users')
      .values({
        organization_id: organizationId,
        email: named.adminEmail,
        status: 'active',
        organization_admin_since: sql`now()`,
        ...sealToken(vault, named.adminToken),
      })
      .execute()
    return
  }
  if (found.is_ready) return
  await db
    .updateTable('users')
    .set({
      status: 'active',
      organization_admin_since: sql`coalesce(organization_admin_since, now())`,
      updated_at: sql`now()`,
      ...sealToken(vault, named.adminToken),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', found.id)
    .execute()
}

/** Whoever holds the token, whatever e-mail they have taken since; else whoever has the e-mail. */
async function findAdmin(db: Db, organizationId: number, { adminToken, adminEmail }: Bootstrap) {
  const holds = sql`u.token_hash = ${hashOfToken(adminToken)}`
  const { rows } = await sql<{ id: number; is_ready: boolean }>`
    select u.id, ${holds} and u.status = 'active' and u.organization_admin_since is not null as is_ready
    from users u
    where u.organization_id = ${organizationId} and u.deleted_at is null
      and (${holds} or lower(u.email) = lower(${adminEmail}))
    order by ${holds} desc limit 1`.execute(db)
  return rows[0]
}
