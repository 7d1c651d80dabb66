import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import { accessEndOf, grantsAnywhere, isWorkspaceAdmin } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, unprocessable } from '../../base/errors.ts'

type Welcome = Reply<Api['workspaces']['getWelcome']>
export type WelcomeTexts = Input<Api['workspaces']['updateWelcome']>['body']['welcome']

type Facts = Omit<Welcome, 'protection' | 'reading' | 'terms' | 'new_since' | 'new_files' | 'new_files_count'>

/** What the workspace says to the caller, who they are in it, and until when; or what it says to anybody in a group. */
export async function getWelcomeFacts(
  db: Db,
  { id, organization_id, actor }: Workspace,
  groupId?: number,
): Promise<Facts> {
  const own =
    groupId === undefined
      ? sql`exists (select from group_memberships gm where gm.workspace_id = g.workspace_id and gm.group_id = g.id
          and gm.user_id = ${actor.id})`
      : sql`g.id = ${groupId}`
  const end =
    groupId === undefined
      ? accessEndOf(sql`w.id`, actor.id)
      : sql`(select g.expire_workspace_access_at::text from groups g where g.workspace_id = w.id and ${own})`
  const { rows } = await sql<Facts>`
    select w.description, w.expectation, w.welcome_text as text, w.contact_note, w.contacts, m.previous_visit_at,
      case when c.id is not null then json_build_object('user_id', c.id, 'first_name', c.first_name,
        'last_name', c.last_name, 'email', c.email, 'company', c.company, 'title', c.title) end as contact,
      ${end} as access_ends_at, array(
        select g.name from groups g
        where g.workspace_id = w.id and ${own} and g.kind <> 'all_members' order by g.id) as groups
    from workspaces w
    left join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${actor.id}
    left join users c on c.organization_id = w.organization_id and c.id = w.contact_user_id and c.deleted_at is null
      and ${isWorkspaceAdmin(sql`w.id`, sql`c.id`)}
    where w.organization_id = ${organization_id} and w.id = ${id}`.execute(db)
  return rows[0] ?? refuse()
}

function refuse(): never {
  throw notFound()
}

interface Shares {
  viewing: number
  marking: number
  downloading: number
  sealing: number
}

/** How the active groups of the caller protect what they grant; null for admins, who are exempt. */
export async function getProtection(db: Db, workspace: Workspace): Promise<Welcome['protection']> {
  if (workspace.admin) return null
  const { rows } = await sql<Shares>`
    select count(*) filter (where own.views)::int as viewing, count(*) filter (where own.downloads)::int as downloading,
      count(*) filter (where own.views and (own.watermarked or own.drm_enabled))::int as marking,
      count(*) filter (where own.downloads and own.drm_enabled)::int as sealing
    from (
      select g.watermarked, g.drm_enabled, ${grantsAnywhere('g', 'view')} as views, ${grantsAnywhere('g', 'download')} as downloads
      from groups g where g.workspace_id = ${workspace.id} and g.id = any(${workspace.group_ids}::int[])
    ) own`.execute(db)
  const { viewing = 0, marking = 0, downloading = 0, sealing = 0 } = rows[0] ?? {}
  return {
    documents: viewing > 0,
    marked: shareOf(marking, viewing),
    downloads: downloading > 0,
    sealed: shareOf(sealing, downloading),
  }
}

const shareOf = (some: number, all: number) => (some === 0 ? 'none' : some === all ? 'all' : 'some')

/** @returns the texts before. @throws ApiError 422 for a contact who is not a Workspace Admin */
export async function updateWelcome(
  db: Db,
  { id, organization_id }: AdministeredWorkspace,
  { text, contacts, ...texts }: WelcomeTexts,
): Promise<WelcomeTexts> {
  const { contact_user_id } = texts
  if (typeof contact_user_id === 'number') await requireAdmin(db, id, contact_user_id)
  const changes = {
    ...texts,
    ...(text !== undefined && { welcome_text: text }),
    ...(contacts && { contacts: JSON.stringify(contacts) }),
    updated_at: sql<Date>`now()`,
  }
  const { rows } = await sql<WelcomeTexts>`
    select description, expectation, welcome_text as text, contact_user_id, contact_note, contacts from workspaces
    where organization_id = ${organization_id} and id = ${id} for no key update`.execute(db)
  await db
    .updateTable('workspaces')
    .set(changes)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
  return rows[0] ?? refuse()
}

async function requireAdmin(db: Db, workspaceId: number, userId: number): Promise<void> {
  const { rows } = await sql`select where ${isWorkspaceAdmin(workspaceId, userId)}`.execute(db)
  if (rows.length === 0) throw unprocessable('welcome.contact_user_id', 'workspace_admin')
}
