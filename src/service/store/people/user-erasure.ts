import { sql } from 'kysely'
import type { AdministeredOrganization } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { eraseKey } from '../audit/audit-keys.ts'
import { forgetMailboxes } from './mail-budgets.ts'

/** Parameters of acts that are names of the user whom the act is about. */
const NAMES_OF_A_USER = ['user', 'former_user']

export async function isDeleted(db: Db, organization: AdministeredOrganization, userId: number): Promise<boolean> {
  const deleted = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return deleted !== undefined
}

/**
 * Erases the personal data of a deleted user: name, e-mail address, IP addresses. Their acts stay, as acts of an erased
 * user. The audit trail keeps its hashes and loses the key to the personal data.
 */
export async function eraseUser(db: Db, organization: AdministeredOrganization, userId: number): Promise<void> {
  await eraseAddress(db, organization, userId)
  // What a mail server said of a mail that was refused is kept with it, and names the address.
  await sql`delete from jobs where kind = 'expert_mail' and payload->>'user_id' = ${String(userId)}`.execute(db)
  await db
    .updateTable('users')
    .set({
      email: `erased-${userId}@erased.invalid`,
      first_name: 'Erased',
      last_name: 'user',
      company: '',
      title: '',
      time_zone: 'UTC',
      language: 'en',
      mail_refused_at: null,
    })
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .execute()
  await db
    .updateTable('api_keys')
    .set({ name: 'erased', last_used_ip: null })
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', userId)
    .execute()
  const workspaces = sql`(select id from workspaces where organization_id = ${organization.id})`
  await sql`update activities set user_name = 'Erased user'
    where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await sql`update activities set message = erased_message, params = params - ${NAMES_OF_A_USER}::text[],
      act = case act when 'name_changed' then 'erased_name_changed' else act end
    where workspace_id in ${workspaces} and about_user_id = ${userId}`.execute(db)
  // The marks in these files name the user. The next sweep removes the files.
  await sql`update downloads set ip = '', expires_at = least(expires_at, now())
    where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await sql`update stamped_files set expires_at = least(expires_at, now())
    where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await sql`delete from reading_times where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await sql`delete from reading_clocks where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await sql`update terms_answers set ip = '', user_name = 'Erased user', email = '', company = '', typed_name = ''
    where workspace_id in ${workspaces} and user_id = ${userId}`.execute(db)
  await eraseKey(db, organization, userId)
}

/** Erases sign-in codes, mail counts and undelivered mails of the address, unless another user has it by now. */
async function eraseAddress(db: Db, organization: AdministeredOrganization, userId: number): Promise<void> {
  const { rows } = await sql<{ address: string }>`select lower(u.email) as address from users u
    where u.organization_id = ${organization.id} and u.id = ${userId} and not exists (select from users o
      where o.organization_id = u.organization_id and lower(o.email) = lower(u.email) and o.deleted_at is null)`.execute(
    db,
  )
  const address = rows[0]?.address
  if (address === undefined) return
  await db
    .deleteFrom('sign_in_addresses')
    .where('organization_id', '=', organization.id)
    .where('email', '=', address)
    .execute()
  await forgetMailboxes(db, organization.id, [address])
  await sql`delete from jobs where kind = 'mail' and lower(payload->>'to') = ${address}`.execute(db)
}
