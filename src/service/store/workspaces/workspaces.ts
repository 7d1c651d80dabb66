import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Numbering } from '../../../contract/endpoints/workspaces.ts'
import type { AdministeredWorkspace, MemberTeam, Organization, Workspace } from '../../access/scopes.ts'
import { isTeamMember, isWorkspaceAdmin, termsAwaitOn } from '../../access/sql.ts'
import { type Actor, todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, unprocessable } from '../../base/errors.ts'
import { joinBrandings, lookColumn } from '../branding/brandings.ts'
import { syncTeamAdmins } from './group-memberships.ts'
import { lockTeam } from '../teams/teams.ts'
import { holdUser } from '../people/users.ts'

export interface WorkspaceSettings {
  name: string
  numbering: Numbering
  measures_reading: boolean
  reading_kept_days: number
}

type WorkspaceRow = Reply<Api['workspaces']['get']>

/** Workspaces `w` of the caller, with their roles in each: `mine`. A personal key sees only those with API access. */
export function workspacesOf(actor: Actor): RawBuilder<unknown> {
  return sql`workspaces w
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${actor.id}
      and (w.api_access_enabled or ${!actor.personal_key})
    cross join lateral (
      select ${isWorkspaceAdmin(sql`w.id`, sql`m.user_id`)} as admin,
        ${isTeamMember(sql`w.organization_id`, sql`w.team_id`, sql`m.user_id`)} as team_member,
        ${termsAwaitOn(todayOf(actor))} as terms_await
    ) mine ${joinBrandings}`
}

const columns = sql`w.id, w.name, w.team_id, mine.admin, mine.team_member, mine.terms_await,
  case when mine.admin then w.numbering end as numbering, w.measures_reading, ${lookColumn},
  case when mine.admin then w.reading_kept_days end as reading_kept_days, case when mine.admin then (
    select json_build_object('drm_enabled', r.drm_enabled, 'watermarking', r.watermarking,
      'page_pictures', r.page_pictures, 'suppress_emails', r.suppress_emails)
    from teams r where r.organization_id = w.organization_id and r.id = w.team_id) end as team_rules,
  w.created_at, w.updated_at`

export async function getWorkspace(db: Db, { id, organization_id, actor }: Workspace): Promise<WorkspaceRow> {
  const { rows } = await sql<WorkspaceRow>`
    select ${columns} from ${workspacesOf(actor)} where w.organization_id = ${organization_id} and w.id = ${id}`.execute(
    db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Lists the workspaces of a team that the caller is a member of. Membership of the team is not required. */
export async function listWorkspaces(db: Db, organization: Organization, teamId: number): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    select ${columns} from ${workspacesOf(organization.actor)}
    where w.organization_id = ${organization.id} and w.team_id = ${teamId} order by w.id`.execute(db)
  return rows
}

type EnterableRow = WorkspaceRow & {
  team_name: string
  members: number | null
  last_activity_at: string | null
  favourite: boolean
}

/** Lists all workspaces that the caller can enter. Only admins learn the number and last activity of other members. */
export async function listEnterableWorkspaces(db: Db, { id, actor }: Organization): Promise<EnterableRow[]> {
  const { rows } = await sql<EnterableRow>`
    select ${columns}, t.name as team_name, m.favourite,
      case when mine.admin then (select count(*)::int from workspace_memberships o where o.workspace_id = w.id) end as members,
      case when mine.admin
        then (select a.created_at from activities a where a.workspace_id = w.id
          order by a.created_at desc, a.id desc limit 1)
        else (select a.created_at from activities a where a.workspace_id = w.id and a.user_id = ${actor.id}
          order by a.created_at desc, a.id desc limit 1)
      end as last_activity_at
    from ${workspacesOf(actor)} join teams t on t.organization_id = w.organization_id and t.id = w.team_id
    where w.organization_id = ${id} order by t.name, w.name, w.id`.execute(db)
  return rows
}

/**
 * Creates a workspace with its root folder and its built-in groups. The caller joins all groups that apply.
 * @throws ApiError 422 beyond what the team allows
 */
export async function insertWorkspace(db: Db, organization: Organization, team: MemberTeam, name: string) {
  await holdUser(db, organization, team.actor.id)
  const { allowed_workspaces, allowed_admins, workspaces } = await lockTeam(db, team)
  if (workspaces >= allowed_workspaces) {
    throw unprocessable('workspace.team_id', 'team_with_free_workspaces', { limit: allowed_workspaces })
  }
  if (allowed_admins < 1) throw unprocessable('workspace.team_id', 'team_with_workspace_admins')
  const { id } = await db
    .insertInto('workspaces')
    .values({ organization_id: organization.id, team_id: team.id, name, ...apiAccessOfNew(team.actor) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertRoot(db, id, team.actor)
  await insertBuiltInGroups(db, organization, id, team.actor)
  return id
}

/** API access is off at first, but a creator with a personal key must not be locked out. */
function apiAccessOfNew({ personal_key, id, now }: Actor) {
  if (!personal_key) return {}
  const since = { api_access_enabled_at: now, api_access_updated_at: now }
  return { api_access_enabled: true, api_access_enabled_by_id: id, ...since }
}

async function insertRoot(db: Db, workspaceId: number, actor: Actor): Promise<void> {
  await sql`
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    values (${workspaceId}, 0, null, 'All Folders', 1, '{0}', ${actor.id})`.execute(db)
}

/** Inserts the groups in the order in which clients expect their ids to grow (decisions, section 4). */
async function insertBuiltInGroups(db: Db, organization: Organization, workspaceId: number, actor: Actor) {
  await sql`
    insert into groups (workspace_id, name, kind, pdf_delivery)
    select w.id, g.name, g.kind,
      case when g.kind = 'all_members' and t.page_pictures then t.pdf_delivery else 'woven' end
    from workspaces w
    join teams t on t.organization_id = w.organization_id and t.id = w.team_id
    cross join (values (1, 'All Members', 'all_members'), (2, 'Team Admins', 'team_admins'),
      (3, 'Workspace Admins', 'workspace_admins')) g (place, name, kind)
    where w.id = ${workspaceId} order by g.place`.execute(db)
  await db
    .insertInto('workspace_memberships')
    .values({ workspace_id: workspaceId, user_id: actor.id, organization_id: organization.id, joined_at: actor.now })
    .execute()
  await sql`
    insert into group_memberships (workspace_id, group_id, user_id)
    select workspace_id, id, ${actor.id} from groups
    where workspace_id = ${workspaceId} and kind in ('all_members', 'workspace_admins')`.execute(db)
  await syncTeamAdmins(db, [workspaceId])
}

/** @returns the settings before */
export async function updateWorkspace(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: { [Name in keyof WorkspaceSettings]?: WorkspaceSettings[Name] | undefined },
): Promise<WorkspaceSettings> {
  const former = await db
    .selectFrom('workspaces')
    .select(['name', 'numbering', 'measures_reading', 'reading_kept_days'])
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', workspace.id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  await db
    .updateTable('workspaces')
    .set({ ...settings, updated_at: sql`now()` })
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', workspace.id)
    .execute()
  return former
}
