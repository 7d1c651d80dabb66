import { sql } from 'kysely'
import type { AdministeredWorkspace, Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { notFound } from '../errors.ts'
import { record } from './activities.ts'
import type { UserRow } from './users.ts'
import { userColumns } from './users.ts'

interface MemberRow {
  id: number
  workspace_id: number
  user: { id: number; first_name: string; last_name: string; email: string; time_zone: string }
  groups: { id: number; name: string }[]
  admin: boolean
  team_member: boolean
  status: 'invited' | 'active'
  joined_at: string | null
  last_active_at: string | null
  created_at: string
  updated_at: string
}

/** Members in the order in which they were added, each with the groups in the order of their making. */
export async function listMembers(db: Db, workspace: AdministeredWorkspace): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.workspace_id, json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name,
        'email', u.email, 'time_zone', u.time_zone) as user,
      coalesce(g.groups, '[]') as groups, coalesce(g.admin, false) as admin, t.user_id is not null as team_member,
      u.status, m.joined_at, m.last_active_at, m.created_at, m.updated_at
    from workspace_memberships m
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    left join team_memberships t on t.organization_id = m.organization_id and t.team_id = ${workspace.team_id}
      and t.user_id = m.user_id
    left join (
      select gm.user_id, json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id) as groups,
        bool_or(g.kind = 'workspace_admins') as admin
      from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
      where gm.workspace_id = ${workspace.id}
      group by gm.user_id
    ) g on g.user_id = m.user_id
    where m.workspace_id = ${workspace.id}
    order by m.id`.execute(db)
  return rows
}

/** @throws ApiError 404 unless the user is a member of the workspace */
export async function getMember(db: Db, workspace: AdministeredWorkspace, userId: number) {
  const { rows } = await sql<UserRow & { membership_id: number }>`
    select ${userColumns}, m.id as membership_id
    from workspace_memberships m join users u on u.organization_id = m.organization_id and u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.user_id = ${userId}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

const anyOf = (ids: readonly number[]) => sql<number>`any(${ids}::int[])`

export interface EndedMembership {
  id: number
  workspace_id: number
  user_id: number
}

/** Takes users out of workspaces and of all their groups. */
export async function leaveWorkspaces(
  db: Db,
  workspaceIds: readonly number[],
  userIds: readonly number[],
): Promise<EndedMembership[]> {
  if (workspaceIds.length === 0 || userIds.length === 0) return []
  await db
    .deleteFrom('group_memberships')
    .where('workspace_id', '=', anyOf(workspaceIds))
    .where('user_id', '=', anyOf(userIds))
    .execute()
  return db
    .deleteFrom('workspace_memberships')
    .where('workspace_id', '=', anyOf(workspaceIds))
    .where('user_id', '=', anyOf(userIds))
    .returning(['id', 'workspace_id', 'user_id'])
    .execute()
}

/** A visit is noted once per user and 10 minutes (decisions, section 11). */
const isDue = (now: Date) =>
  sql<boolean>`(m.last_active_at is null or m.last_active_at <= ${now}::timestamptz - interval '10 minutes')`

/** Notes that the caller has come in, and the first time that they joined. */
export async function visit(db: Db, workspace: Workspace): Promise<void> {
  const { actor } = workspace
  const mine = sql`m.workspace_id = ${workspace.id} and m.user_id = ${actor.id}`
  const { rows } = await sql`select from workspace_memberships m where ${mine} and ${isDue(actor.now)}`.execute(db)
  if (rows.length === 0) return
  await transaction(db, async (tx) => {
    // Of visits at the same moment one finds the row still due; `before` is the row as it was.
    const { rows: due } = await sql<{ first: boolean }>`
      update workspace_memberships m set last_active_at = ${actor.now}, joined_at = coalesce(m.joined_at, ${actor.now})
      from workspace_memberships before
      where ${mine} and before.workspace_id = m.workspace_id and before.user_id = m.user_id and ${isDue(actor.now)}
      returning before.joined_at is null as first`.execute(tx)
    if (due[0]?.first) await record(tx, workspace, JOINED)
    if (due[0]) {
      const view = { verb: 'viewed', message: 'viewed this workspace', subject_id: workspace.id }
      await record(tx, workspace, { ...view, subject_type: 'Workspace' })
    }
  })
}

export const JOINED = { verb: 'joined', message: 'joined this Workspace', subject_type: null, subject_id: null }
