import { sql } from 'kysely'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import type { AdministeredOrganization, Organization } from '../access/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { badRequest, notFound, unprocessable } from '../errors.ts'
import { hashOfToken, newToken, type Vault } from '../secrets.ts'
import { created, naming, recordForOrganization } from './audit.ts'

type User = Reply<Api['users']['me']>

export interface UserRow {
  id: number
  first_name: string
  last_name: string
  email: string
  time_zone: string
  status: 'invited' | 'active'
  organization_admin: boolean
  created_at: string
  updated_at: string
  token_sealed: Buffer
}

/** Columns of UserRow from `users u`. */
export const userColumns = sql`u.id, u.first_name, u.last_name, u.email, u.time_zone, u.status,
  u.organization_admin_since is not null as organization_admin, u.created_at, u.updated_at, u.token_sealed`

/** A token is a credential: only its owner and organization admins see it (decisions, section 4). */
export function toUser(vault: Vault, actor: Actor, { token_sealed, ...user }: UserRow): User {
  const mayHold = !actor.omit_user_tokens && (user.id === actor.id || actor.organization_admin)
  const token = mayHold ? vault.open(token_sealed) : ''
  return { ...user, jti: token, user_token: token }
}

/** Columns of a new user's token: what finds it, and the token itself under the master key. */
export function sealToken(vault: Vault, token: string) {
  return { token_hash: hashOfToken(token), token_sealed: vault.seal(token) }
}

const NO_LOCK = sql``
/** Keeps a user from being deleted until the end of the transaction. */
const HOLD = sql`for share of u`
const LOCK = sql`for update of u`

async function findUser(db: Db, organization: Organization, which = sql`true`, lock = NO_LOCK) {
  const { rows } = await sql<UserRow>`
    select ${userColumns} from users u
    where u.organization_id = ${organization.id} and u.deleted_at is null and ${which} ${lock}`.execute(db)
  return rows[0]
}

export async function getUser(db: Db, organization: Organization, userId: number): Promise<UserRow> {
  return (await findUser(db, organization, sql`u.id = ${userId}`)) ?? refuse()
}

/** Whose e-mail it is, in whatever case. */
export async function findUserByEmail(db: Db, organization: Organization, email: string): Promise<UserRow | undefined> {
  return findUser(db, organization, sql`lower(u.email) = lower(${email})`)
}

/** The user, who is not deleted before the transaction ends. */
export async function holdUser(db: Db, organization: Organization, userId: number): Promise<UserRow> {
  return (await findUser(db, organization, sql`u.id = ${userId}`, HOLD)) ?? refuse()
}

/** The user, whom nobody else holds until the transaction ends. */
export async function lockUser(db: Db, organization: Organization, userId: number): Promise<UserRow> {
  return (await findUser(db, organization, sql`u.id = ${userId}`, LOCK)) ?? refuse()
}

function refuse(): never {
  throw notFound()
}

/**
 * The user that a membership names, by id or else by e-mail; an unknown e-mail becomes an invited user.
 * @throws ApiError 400 when neither is given, 404 for an unknown id
 */
export async function findOrInvite(
  db: Db,
  vault: Vault,
  organization: Organization,
  named: { user_id?: number | undefined; email?: string | undefined },
): Promise<UserRow> {
  if (named.user_id !== undefined) return holdUser(db, organization, named.user_id)
  if (named.email === undefined) throw badRequest('user_id or email is required.')
  const byEmail = () => findUser(db, organization, sql`lower(u.email) = lower(${named.email})`, HOLD)
  return (
    (await byEmail()) ??
    (await tryInsert(db, vault, organization, { email: named.email })) ??
    // Somebody else invited the same address a moment ago.
    (await byEmail()) ??
    refuse()
  )
}

export interface NewUser {
  email: string
  first_name?: string | undefined
  last_name?: string | undefined
  time_zone?: string | undefined
}

/** @throws ApiError 422 for an e-mail in use */
export async function insertUser(db: Db, vault: Vault, organization: AdministeredOrganization, user: NewUser) {
  return (await tryInsert(db, vault, organization, user)) ?? refuseEmail()
}

async function tryInsert(db: Db, vault: Vault, organization: Organization, user: NewUser) {
  const inserted = await db
    .insertInto('users')
    .values({ organization_id: organization.id, ...user, ...sealToken(vault, newToken()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return undefined
  const added = await getUser(db, organization, inserted.id)
  const { email, first_name, last_name, time_zone } = added
  await recordForOrganization(db, organization, {
    verb: 'created',
    ...naming(added, (name) => `created the user ${name}`),
    subject_type: 'User',
    subject_id: added.id,
    changes: created({ email, first_name, last_name, time_zone }),
  })
  return added
}

function refuseEmail(): never {
  throw unprocessable('user.email', 'belongs to another user')
}

/** Changes the caller's own account. @throws ApiError 422 for an e-mail in use */
export async function updateCaller(
  db: Db,
  organization: Organization,
  changes: { [Key in keyof NewUser]?: NewUser[Key] | undefined },
): Promise<UserRow> {
  try {
    await db
      .updateTable('users')
      .set({ ...changes, updated_at: sql`now()` })
      .where('organization_id', '=', organization.id)
      .where('id', '=', organization.actor.id)
      .execute()
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'users_email') refuseEmail()
    throw error
  }
  return getUser(db, organization, organization.actor.id)
}

/** The invited caller has arrived. */
export async function activateCaller(db: Db, organization: Organization): Promise<UserRow> {
  const activated = await db
    .updateTable('users')
    .set({ status: 'active', updated_at: sql`now()` })
    .where('organization_id', '=', organization.id)
    .where('id', '=', organization.actor.id)
    .where('status', '=', 'invited')
    .returning('id')
    .executeTakeFirst()
  if (activated) {
    await recordForOrganization(db, organization, {
      verb: 'activated',
      message: 'signed in for the first time',
      subject_type: 'User',
      subject_id: activated.id,
      changes: { status: { before: 'invited', after: 'active' } },
    })
  }
  return getUser(db, organization, organization.actor.id)
}
