import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { enterOrganization } from '../../access/enter/organization.ts'
import type { AdministeredOrganization, Organization } from '../../access/scopes.ts'
import type { Actor } from '../../auth/actor.ts'
import { type Fragment, isFirstOrganization, isKnownTo } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import { hashOfToken, newToken, type Vault } from '../../base/secrets.ts'
import { created, naming, recordForOrganization } from '../audit/audit.ts'
import { withdrawCredentials } from './credentials.ts'
import { isPending } from './email-changes.ts'

type User = Reply<Api['users']['create']>
type Caller = Reply<Api['users']['me']>

export type UserRow = Omit<User, 'jti' | 'user_token'> & { token_sealed: Buffer }

/** Columns of UserRow from `users u`. */
export const userColumns = sql`u.id, u.first_name, u.last_name, u.email, u.time_zone, u.status,
  u.organization_admin_since is not null as organization_admin, u.created_at, u.updated_at, u.token_sealed`

/** A token is a credential: only its owner and organization admins see it (decisions, section 4). */
export function toUser(vault: Vault, actor: Actor, { token_sealed, ...user }: UserRow): User {
  const mayHold = !actor.omit_user_tokens && (user.id === actor.id || actor.organization_admin)
  const token = mayHold ? vault.open(token_sealed) : ''
  return { ...user, jti: token, user_token: token }
}

export interface CallerRow extends UserRow {
  pending_email: string | null
  company: string
  title: string
  profile_due: boolean
  installation_admin: boolean
}

/** The caller's own account, including the pending address that no other user sees. */
export function toCaller(vault: Vault, actor: Actor, row: CallerRow): Caller {
  const { pending_email, company, title, profile_due, installation_admin, ...user } = row
  return { ...toUser(vault, actor, user), pending_email, company, title, profile_due, installation_admin }
}

/** Columns of a new user's token: its hash to find it by, and the token itself, encrypted under the master key. */
export function sealToken(vault: Vault, token: string) {
  return { token_hash: hashOfToken(token), token_sealed: vault.seal(token) }
}

const NO_LOCK = sql``
/** Prevents the user's deletion until the end of the transaction. */
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

const callerRows = statement<{ organization_id: number; id: number; now: Date }, CallerRow>(
  ({ organization_id, id, now }) => sql`
    select ${userColumns}, u.company, u.title, u.profile_due,
      u.organization_admin_since is not null and ${isFirstOrganization(sql`u.organization_id`)} as installation_admin,
      (select c.email from email_changes c where c.organization_id = u.organization_id
        and c.user_id = u.id and ${isPending(now)}) as pending_email
    from users u where u.organization_id = ${organization_id} and u.id = ${id} and u.deleted_at is null`,
)

export async function getCaller(db: Db, { id: organization_id, actor }: Organization): Promise<CallerRow> {
  const [row] = await callerRows(db, { organization_id, id: actor.id, now: actor.now })
  return row ?? refuse()
}

/** Whether two addresses belong to one account: they differ at most in case. */
export const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Ignores the case of the address. */
export async function findUserByEmail(db: Db, organization: Organization, email: string): Promise<UserRow | undefined> {
  return findUser(db, organization, sql`lower(u.email) = lower(${email})`)
}

/** Returns the user and prevents their deletion until the end of the transaction. */
export async function holdUser(db: Db, organization: Organization, userId: number): Promise<UserRow> {
  return (await findUser(db, organization, sql`u.id = ${userId}`, HOLD)) ?? refuse()
}

/** Returns the user under an exclusive lock until the end of the transaction. */
export async function lockUser(db: Db, organization: Organization, userId: number): Promise<UserRow> {
  return (await findUser(db, organization, sql`u.id = ${userId}`, LOCK)) ?? refuse()
}

function refuse(): never {
  throw notFound()
}

interface Found extends UserRow {
  /** The user is the caller, shares a team or workspace with the caller, or the caller is an organization admin. */
  known: boolean
  /** Active at an unproved address: the account dates from before changes of address needed a proof. */
  unproved: boolean
  asked_at: string
}

type Name = Record<'organization_id' | 'caller_id', number> & { organization_admin: boolean }

const heldBy = <Key extends object>(which: (key: ParametersOf<Key>) => Fragment) =>
  statement<Name & Key, Found>(
    (by) => sql`
      select ${userColumns}, ${isKnownTo('u', sql`${by.caller_id}`, sql`${by.organization_admin}::boolean`)} as known, now() as asked_at,
        u.status = 'active' and u.email_verified_at is null as unproved
      from users u
      where u.organization_id = ${by.organization_id} and u.deleted_at is null and ${which(by)} ${HOLD}`,
  )

const hasId = ({ user_id }: ParametersOf<{ user_id: number }>) => sql`u.id = ${user_id}`
const hasAddress = ({ email }: ParametersOf<{ email: string }>) => sql`lower(u.email) = lower(${email})`

const heldById = heldBy(hasId)
const heldByAddress = heldBy(hasAddress)

const callerOf = ({ id, actor }: Organization): Name => ({
  organization_id: id,
  caller_id: actor.id,
  organization_admin: actor.organization_admin,
})

function knownUser(found: Found | undefined): UserRow {
  if (!found?.known) throw notFound()
  const { known: _known, unproved: _unproved, asked_at: _asked, ...user } = found
  return user
}

/**
 * Returns a user whom the caller names by id, and prevents their deletion until the end of the transaction.
 * @throws ApiError 404 for strangers too
 */
export async function holdKnownUser(db: Db, organization: Organization, user_id: number): Promise<UserRow> {
  return knownUser((await heldById(db, { ...callerOf(organization), user_id }))[0])
}

/**
 * Returns the user whom a membership names by id or else by e-mail address; an unknown address becomes an invited user.
 * A caller who does not know the owner of the address cannot tell whether the account existed: the reply shows a user
 * invited just now, with only the data that the caller sent. A stranger's account with an unproved address is reset to
 * invited, which shuts out its present holder.
 * @throws ApiError 400 if neither is given, 404 for an unknown id or a stranger's id, 409 for a known user who has not
 * proved the address
 */
export async function findOrInvite(
  db: Db,
  vault: Vault,
  organization: Organization,
  named: { user_id?: number | undefined; email?: string | undefined },
): Promise<UserRow> {
  const { user_id, email } = named
  if (user_id !== undefined) return holdKnownUser(db, organization, user_id)
  if (email === undefined) throw refusal('user_not_named')
  const byEmail = async () => (await heldByAddress(db, { ...callerOf(organization), email }))[0]
  const before = await byEmail()
  const made = before ? undefined : await tryInsert(db, vault, organization, { email })
  if (made) return made
  // If both failed, another caller invited the same address a moment ago.
  const found = before ?? (await byEmail()) ?? refuse()
  const { known, unproved, asked_at, ...user } = found
  if (!known) {
    if (unproved) await reinvite(db, vault, organization, user)
    return asInvited(user, email, asked_at)
  }
  if (unproved) throw refusal('address_not_confirmed')
  return user
}

/**
 * Resets a stranger's account to the state before its first sign-in, which requires access to the mailbox: the rights
 * of an invitation must not reach a user who only claimed the address. Organization admins keep their accounts because
 * they can read every token anyway.
 */
async function reinvite(db: Db, vault: Vault, organization: Organization, user: UserRow): Promise<void> {
  if (user.organization_admin) return
  await shutOut(db, vault, organization.id, user.id)
  await db
    .updateTable('users')
    .set({ status: 'invited' })
    .where('organization_id', '=', organization.id)
    .where('id', '=', user.id)
    .execute()
  await recordForOrganization(db, organization, {
    act: 'user_reinvited',
    ...naming(user),
    subject_id: user.id,
    changes: { status: { before: 'active', after: 'invited' } },
  })
}

/** Ends all credentials of a user: a new token, personal keys revoked, all sessions ended. */
async function shutOut(db: Db, vault: Vault, organizationId: number, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...sealToken(vault, newToken()), updated_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .execute()
  await withdrawCredentials(db, organizationId, userId)
}

/** Shows a user as the invitation of a stranger does. */
export function asInvited({ id, token_sealed }: UserRow, email: string, at: string): UserRow {
  const nobody = {
    first_name: '',
    last_name: '',
    time_zone: 'UTC',
    status: 'invited',
    organization_admin: false,
  } as const
  return { id, email, ...nobody, created_at: at, updated_at: at, token_sealed }
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
    act: 'user_created',
    ...naming(added),
    subject_id: added.id,
    changes: created({ email, first_name, last_name, time_zone }),
  })
  return added
}

function refuseEmail(): never {
  throw unprocessable('user.email', 'address_free')
}

type CallerChanges = { [Key in keyof NewUser]?: NewUser[Key] | undefined } & {
  company?: string | undefined
  title?: string | undefined
}

/** Changes the caller's own account. `changes.email` may differ from the present address only in case. */
export async function updateCaller(db: Db, organization: Organization, changes: CallerChanges): Promise<void> {
  const { first_name, last_name, company, title } = changes
  const isProfile = [first_name, last_name, company, title].some((each) => each !== undefined)
  await db
    .updateTable('users')
    .set({ ...changes, ...(isProfile && { profile_due: false }), updated_at: sql`now()` })
    .where('organization_id', '=', organization.id)
    .where('id', '=', organization.actor.id)
    .execute()
}

/**
 * Marks the address as proved by a sign-in. An account that was active before its address was proved may belong to
 * somebody who only claimed the address, so all of its credentials end. `organization` is entered by the admin whose
 * token the configuration gives.
 */
export async function proveAddress(
  db: Db,
  vault: Vault,
  organization: AdministeredOrganization,
  email: string,
): Promise<void> {
  const { id, actor } = organization
  const { rows } = await sql<UserRow>`update users u set email_verified_at = ${actor.now}
    where organization_id = ${id} and deleted_at is null and lower(email) = lower(${email})
      and email_verified_at is null returning ${userColumns}`.execute(db)
  const [user] = rows
  if (user?.status !== 'active' || user.id === actor.id) return
  await shutOut(db, vault, id, user.id)
  const as = enterOrganization({ ...actor, ...user })
  await recordForOrganization(db, as, { act: 'address_proved', subject_id: user.id })
}

/** Activates an invited caller who has proved the invited address. */
export async function activateCaller(db: Db, organization: Organization): Promise<CallerRow> {
  const activated = await db
    .updateTable('users')
    .set({ status: 'active', profile_due: true, updated_at: sql`now()` })
    .where('organization_id', '=', organization.id)
    .where('id', '=', organization.actor.id)
    .where('status', '=', 'invited')
    .where('email_verified_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (activated) {
    await recordForOrganization(db, organization, {
      act: 'user_activated',
      subject_id: activated.id,
      changes: { status: { before: 'invited', after: 'active' } },
    })
  }
  return getCaller(db, organization)
}
