import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, Organization, Workspace } from '../../access/scopes.ts'
import { invitationStateOf, isOfWorkspaceAdmins, isUninvited } from '../../access/sql.ts'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { record } from '../audit/activities.ts'
import type { UserRow } from '../people/users.ts'
import { userColumns } from '../people/users.ts'
import { holdQuestions } from '../questions/experts.ts'

type MemberRow = Reply<Api['workspaces']['listMembers']>[number]

/** Members in the order of their addition, each with their groups in the order of creation. */
export async function listMembers(
  db: Db,
  workspace: AdministeredWorkspace,
  which: RawBuilder<boolean> = sql`true`,
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.workspace_id, json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name,
        'email', u.email, 'time_zone', u.time_zone, 'company', u.company, 'title', u.title) as user,
      coalesce(g.groups, '[]') as groups, coalesce(g.admin, false) as admin, t.user_id is not null as team_member,
      u.status, u.mail_refused_at is not null as mail_refused, ${invitationStateOf('m')} as invitation_state, trim(m.marked_first_name || ' ' || m.marked_last_name) as marked_name, m.name_changed_at, m.joined_at, m.last_active_at, m.created_at, m.updated_at
    from workspace_memberships m
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    left join team_memberships t on t.organization_id = m.organization_id and t.team_id = ${workspace.team_id}
      and t.user_id = m.user_id
    left join (
      select gm.user_id, json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id) as groups,
        bool_or(${isOfWorkspaceAdmins('g')}) as admin
      from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
      where gm.workspace_id = ${workspace.id}
      group by gm.user_id
    ) g on g.user_id = m.user_id
    where m.workspace_id = ${workspace.id} and ${which}
    order by m.id`.execute(db)
  return rows
}

export async function setFavourite(db: Db, { id, actor }: Workspace, favourite: boolean): Promise<void> {
  await db
    .updateTable('workspace_memberships')
    .set({ favourite })
    .where('workspace_id', '=', id)
    .where('user_id', '=', actor.id)
    .execute()
}

/** @throws ApiError 404 unless the user is a member of the workspace */
export async function getListedMember(db: Db, workspace: AdministeredWorkspace, userId: number): Promise<MemberRow> {
  const [member] = await listMembers(db, workspace, sql`m.user_id = ${userId}`)
  if (!member) throw notFound()
  return member
}

interface Name {
  first_name: string
  last_name: string
}

/**
 * Keeps the caller's former name in the marks of all workspaces until admins there have seen the new one. A caller who
 * returns to the name in the marks needs no acceptance.
 */
export async function keepMarkedName(db: Db, { id, actor }: Organization, before: Name, after: Name) {
  const { rows } = await sql<{ id: number; workspace_id: number }>`
    with named as (
      update users set self_named = true where organization_id = ${id} and id = ${actor.id}
    )
    update workspace_memberships m set
      marked_first_name = case when kept.is_other then kept.first_name end,
      marked_last_name = case when kept.is_other then kept.last_name end,
      name_changed_at = case when kept.is_other then ${actor.now}::timestamptz end
    from (
      select o.workspace_id, k.first_name, k.last_name,
        (k.first_name, k.last_name) is distinct from (${after.first_name}, ${after.last_name}) as is_other
      from workspace_memberships o cross join lateral (
        select coalesce(o.marked_first_name, ${before.first_name}) as first_name,
          coalesce(o.marked_last_name, ${before.last_name}) as last_name
      ) k
      where o.organization_id = ${id} and o.user_id = ${actor.id}
    ) kept
    where m.workspace_id = kept.workspace_id and m.user_id = ${actor.id}
    returning m.id, m.workspace_id`.execute(db)
  return rows
}

/**
 * Lets marks show the present name of a member, which must be the name that the admin saw.
 * @throws ApiError 404 unless the user is a member, 409 if the name has changed again
 */
export async function acceptName(db: Db, workspace: AdministeredWorkspace, userId: number, seen: Name) {
  const { rows } = await sql<Name & { id: number; membership_id: number; email: string; is_marked: boolean }>`
    select u.id, m.id as membership_id, u.first_name, u.last_name, u.email, m.marked_first_name is null as is_marked
    from workspace_memberships m join users u on u.organization_id = m.organization_id and u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.user_id = ${userId} for update of m, u`.execute(db)
  const [member] = rows
  if (!member) throw notFound()
  if (member.first_name !== seen.first_name || member.last_name !== seen.last_name) {
    throw refusal('name_changed_again')
  }
  await db
    .updateTable('workspace_memberships')
    .set({
      marked_first_name: null,
      marked_last_name: null,
      name_changed_at: null,
      name_accepted_by_id: workspace.actor.id,
    })
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .execute()
  return member
}

/** @throws ApiError 404 unless the user is a member of the workspace */
export async function getMember(db: Db, workspace: AdministeredWorkspace, userId: number) {
  const { rows } = await sql<
    UserRow & { membership_id: number; is_uninvited: boolean; has_come: boolean; suppressed: boolean }
  >`
    select ${userColumns}, m.id as membership_id, ${isUninvited('m')} as is_uninvited, m.joined_at is not null as has_come,
      (select t.suppress_emails from teams t where t.organization_id = m.organization_id and t.id = ${workspace.team_id}) as suppressed
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

/** Removes users from workspaces and from all their groups. What was passed to them as experts is withdrawn. */
export async function leaveWorkspaces(
  db: Db,
  workspaceIds: readonly number[],
  userIds: readonly number[],
  actor: Pick<Actor, 'id'>,
): Promise<EndedMembership[]> {
  if (workspaceIds.length === 0 || userIds.length === 0) return []
  const theirs = sql`workspace_id = ${anyOf(workspaceIds)} and user_id = ${anyOf(userIds)}`
  // Holds experts, so that the next statement sees what was passed to them.
  const inGroups = sql`
    with held as (select user_id from question_experts where ${theirs} for update)
    delete from group_memberships where ${theirs} and (select count(*) from held) >= 0`
  const ended = sql<EndedMembership>`
    with noted as (
      insert into question_entries (workspace_id, question_id, user_id, kind, expert_id)
      select workspace_id, question_id, ${actor.id}, 'pass_withdrawn', user_id from question_passes where ${theirs}
    )
    delete from workspace_memberships where ${theirs} returning id, workspace_id, user_id`
  const theirPasses = sql`p.workspace_id = ${anyOf(workspaceIds)} and p.user_id = ${anyOf(userIds)}`
  // Sent together: PostgreSQL runs them in this order.
  const [, , { rows }] = await Promise.all([inGroups.execute(db), holdQuestions(db, theirPasses), ended.execute(db)])
  return rows
}

/** A visit is recorded at most once per user and 10 minutes (decisions, section 11). */
const isDue = (now: Date) =>
  sql<boolean>`(m.last_active_at is null or m.last_active_at <= ${now}::timestamptz - interval '10 minutes')`

/** Records a visit of the caller and, the first time, that they joined. @returns whether it recorded one */
export async function visit(db: Db, workspace: Workspace): Promise<boolean> {
  const { actor } = workspace
  const mine = sql`m.workspace_id = ${workspace.id} and m.user_id = ${actor.id}`
  const { rows } = await sql`select from workspace_memberships m where ${mine} and ${isDue(actor.now)}`.execute(db)
  if (rows.length === 0) return false
  return transaction(db, async (tx) => {
    // Only one of several concurrent visits finds the row still due. `before` is the row before the update.
    const { rows: due } = await sql<{ first: boolean }>`
      with arrived as (delete from invitations where workspace_id = ${workspace.id} and user_id = ${actor.id})
      update workspace_memberships m set previous_visit_at = case
          when before.last_active_at <= ${actor.now}::timestamptz - interval '1 hour' then before.last_active_at
          else m.previous_visit_at end,
        last_active_at = ${actor.now}, joined_at = coalesce(m.joined_at, ${actor.now})
      from workspace_memberships before
      where ${mine} and before.workspace_id = m.workspace_id and before.user_id = m.user_id and ${isDue(actor.now)}
      returning before.joined_at is null as first`.execute(tx)
    if (due[0]?.first) await record(tx, workspace, JOINED)
    if (due[0]) await record(tx, workspace, { act: 'workspace_viewed', subject_id: workspace.id })
    return due.length > 0
  })
}

export const JOINED = { act: 'workspace_joined', subject_id: null } as const
