import { type NotNull, sql } from 'kysely'
import type { AdministeredOrganization, Organization } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { holdUser, type UserRow, userColumns } from '../people/users.ts'

type Changes<Key extends string> = { [K in Key]?: string | undefined }

export async function getOrganization(db: Db, organization: Organization) {
  return db.selectFrom('organizations').selectAll().where('id', '=', organization.id).executeTakeFirstOrThrow()
}

/** Returns the organization and locks it against changes until the end of the transaction. */
export async function lockOrganization(db: Db, organization: AdministeredOrganization) {
  return db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', organization.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Changes only the given keys. */
export async function updateOrganization(
  db: Db,
  organization: AdministeredOrganization,
  changes: Changes<'name' | 'description' | 'location' | 'billing_email' | 'url'>,
) {
  return db
    .updateTable('organizations')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', organization.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes only the given keys. `updated_at` is that of the support information. */
export async function updateSupportInformation(
  db: Db,
  organization: AdministeredOrganization,
  changes: Changes<'support_number' | 'support_email' | 'support_website'>,
) {
  return db
    .updateTable('organizations')
    .set({ ...changes, support_updated_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', organization.id)
    .returning(['support_number', 'support_email', 'support_website', 'created_at', 'support_updated_at as updated_at'])
    .executeTakeFirstOrThrow()
}

/** Every user of the organization, or the user with the e-mail address. */
export async function listUsers(db: Db, organization: AdministeredOrganization, email?: string): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${userColumns} from users u
    where u.organization_id = ${organization.id} and u.deleted_at is null
      and ${email === undefined ? sql`true` : sql`lower(u.email) = lower(${email})`}
    order by u.id`.execute(db)
  return rows
}

/** Locks the set of organization admins until the end of the transaction. */
export async function lockAdmins(db: Db, organization: AdministeredOrganization): Promise<void> {
  await sql`select from organizations where id = ${organization.id} for no key update`.execute(db)
}

/** Makes a user an organization admin. An admin keeps the date of becoming one. */
export async function insertAdmin(db: Db, organization: AdministeredOrganization, userId: number) {
  const row = await db
    .updateTable('users')
    .set({ organization_admin_since: sql`coalesce(organization_admin_since, now())`, updated_at: sql`now()` })
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning(['id as user_id', 'organization_admin_since as created_at'])
    .$narrowType<{ created_at: NotNull }>()
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** @throws ApiError 404 for a user who is not an organization admin, 409 for the last one */
export async function deleteAdmin(db: Db, organization: AdministeredOrganization, userId: number): Promise<UserRow> {
  await lockAdmins(db, organization)
  const user = await holdUser(db, organization, userId)
  if (!user.organization_admin) throw notFound()
  const { rows } = await sql`
    update users u set organization_admin_since = null, updated_at = now()
    where u.organization_id = ${organization.id} and u.id = ${userId} and exists (
      select from users o where o.organization_id = u.organization_id and o.id <> u.id
        and o.organization_admin_since is not null and o.deleted_at is null)
    returning u.id`.execute(db)
  if (rows.length === 0) throw refusal('last_organization_admin')
  return user
}
