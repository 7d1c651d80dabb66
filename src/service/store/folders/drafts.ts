import { sql } from 'kysely'
import { MOST_DRAFTS } from '../../../contract/endpoints/deal/drafts.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredWorkspace, ManagedFolder, Workspace } from '../../access/scopes.ts'
import {
  isActive,
  isBelow,
  isInDraft,
  isInSubtree,
  isOfAdmins,
  isUninvited,
  isWorkspaceAdmin,
  leadsToVisible,
  nearestOverrides,
  rightsOf,
  SET_RIGHTS,
  workspaceAdmins,
} from '../../access/sql.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { foundAct, recordFound } from '../audit/activities.ts'
import type { Invited } from '../people/invitations.ts'
import { findSchedule, shortenSchedule } from './draft-schedules.ts'
import { numberedPathForAdmins, outlinesAmong } from './outlines.ts'

type Drafts = Reply<Api['drafts']['list']>
type Published = Omit<Reply<Api['drafts']['publish']>, 'invited'>

/** Drafts that are not in the trash, by path, with the rights that are set on them. */
export async function listDrafts(db: Db, workspace: AdministeredWorkspace): Promise<Drafts> {
  const [drafts, groups, schedule] = await together(db, (one) =>
    Promise.all([readDrafts(one, workspace), readGroups(one, workspace), findSchedule(one, workspace)]),
  )
  const named = new Set(drafts.flatMap(({ rights }) => rights.map(({ group_id }) => group_id)))
  return { drafts, groups: groups.filter(({ id }) => named.has(id)), schedule }
}

async function readDrafts(db: Db, workspace: AdministeredWorkspace): Promise<Drafts['drafts']> {
  const { id } = workspace
  const inside = sql`d.workspace_id = ${id} and d.deleted_at is null and ${isInSubtree(sql`d.id_path`, sql`draft.id_path`)}`
  const flag = (name: string) => sql`coalesce(bool_or(n.value) filter (where n.flag = ${name}), false)`
  const { rows } = await sql<Drafts['drafts'][number]>`
    with draft as materialized (
      select f.id, f.name, f.number_length, f.id_path, f.created_at from folders f
      where f.workspace_id = ${id} and f.is_draft and f.deleted_at is null
    )
    select draft.id as folder_id, draft.name, draft.number_length, draft.created_at, coalesce(n.outline, '') as outline, (
        select '/' || string_agg(a.name, '/' order by cardinality(a.id_path)) from folders a
        where a.workspace_id = ${id} and a.id = any(draft.id_path) and a.id <> 0
      ) as path, ${numberedPathForAdmins(id, sql`draft.id_path`)} as numbered_path, (select count(*) - 1 from folders d where ${inside}) as folders_count, (
        select count(*) from folders d join files f on f.workspace_id = d.workspace_id and f.folder_id = d.id
        where ${inside} and f.deleted_at is null
      ) as files_count, ${isInDraft(id, sql`draft.id_path[:cardinality(draft.id_path) - 1]`)} as in_draft,
      coalesce(set.rights, '[]') as rights
    from draft left join ${outlinesAmong(workspace, { ids: sql`array(select id from draft)` })} n on n.id = draft.id
    cross join lateral (
      select json_agg(json_build_object('group_id', g.id, 'view', coalesce(own.view, false),
        'download', coalesce(own.download, false), 'upload', coalesce(own.upload, false),
        'differs_below', below.group_id is not null) order by g.id) as rights
      from groups g left join (
        select n.group_id, ${flag('view')} as view, ${flag('download')} as download, ${flag('upload')} as upload
        from ${nearestOverrides(id, sql`draft.id_path`, undefined, SET_RIGHTS)} n group by n.group_id
      ) own on own.group_id = g.id left join (
        select p.group_id, bool_or(p.value) as grants from ${SET_RIGHTS} p
        where p.workspace_id = ${id} and ${isBelow(sql`p.id_path`, sql`draft.id_path`)} group by p.group_id
      ) below on below.group_id = g.id
      where g.workspace_id = ${id} and not ${isOfAdmins('g')} and (own.view or below.grants)
    ) set
    order by draft.id_path`.execute(db)
  return rows
}

async function readGroups(db: Db, { id, actor }: AdministeredWorkspace): Promise<Drafts['groups']> {
  const { rows } = await sql<Drafts['groups'][number]>`
    select g.id, g.name, g.is_draft, case when ${isActive('g', todayOf(actor))} then (
        select count(*) from group_memberships m where m.workspace_id = g.workspace_id and m.group_id = g.id
          and m.user_id not in (select a.user_id from ${workspaceAdmins} a where a.workspace_id = ${id})
      ) else 0 end as members_count
    from groups g where g.workspace_id = ${id} and not ${isOfAdmins('g')} order by g.name, g.id`.execute(db)
  return rows
}

/** For acts that have made drafts. Requires the exclusive lock of the tree. @throws ApiError 409 if these are too many */
export async function refuseTooManyDrafts(db: Db, { id }: Pick<Workspace, 'id'>): Promise<void> {
  const { rows } = await sql<{ drafts: number }>`
    select count(*) as drafts from folders f where f.workspace_id = ${id} and f.is_draft and f.deleted_at is null`.execute(
    db,
  )
  if ((rows[0]?.drafts ?? 0) > MOST_DRAFTS) throw refusal('too_many_drafts', { limit: MOST_DRAFTS })
}

/**
 * Makes a folder a draft. Requires the exclusive lock of the tree.
 * @throws ApiError 409 if it is in a draft, or if a member has read or downloaded a file in it
 */
export async function makeDraft(db: Db, { workspace, id }: ManagedFolder): Promise<void> {
  const isReader = sql`not ${isWorkspaceAdmin(workspace.id, sql`a.user_id`)}`
  const { rows } = await sql<{ in_draft: boolean; was_read: boolean }>`
    select ${isInDraft(workspace.id, sql`f.id_path`)} as in_draft, exists (
        select from folders d join files file on file.workspace_id = d.workspace_id and file.folder_id = d.id
        join activities a on a.workspace_id = file.workspace_id and a.subject_id = file.id
        where d.workspace_id = ${workspace.id} and ${isInSubtree(sql`d.id_path`, sql`f.id_path`)}
          and a.subject_type = 'Asset' and a.verb in ('viewed', 'downloaded') and ${isReader}
      ) as was_read
    from folders f where f.workspace_id = ${workspace.id} and f.id = ${id} and f.deleted_at is null`.execute(db)
  if (!rows[0]) throw notFound()
  if (rows[0].in_draft) throw refusal('already_draft')
  if (rows[0].was_read) throw refusal('draft_was_read')
  await setDraft(db, workspace, [id], true)
}

/** Makes drafts of all folders at the top of a new workspace, in which nobody has read yet. @throws ApiError 409 if these are too many */
export async function draftAll(db: Db, workspace: AdministeredWorkspace): Promise<void> {
  const top = await db
    .selectFrom('folders')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('parent_id', '=', 0)
    .where('id', '<>', 0)
    .execute()
  const ids = top.map(({ id }) => id)
  await setDraft(db, workspace, ids, true)
  await refuseTooManyDrafts(db, workspace)
}

/** @returns the names of the folders that were changed */
async function setDraft(
  db: Db,
  { id, actor }: Pick<AdministeredWorkspace, 'id' | 'actor'>,
  folderIds: readonly number[],
  isDraft: boolean,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    update folders f set is_draft = ${isDraft}, updated_at = now(), last_updated_user_id = ${actor.id}
    where f.workspace_id = ${id} and f.id = any(${folderIds}::int[]) and f.deleted_at is null and f.is_draft <> ${isDraft}
    returning f.id, f.name`.execute(db)
  return rows
}

/**
 * Publishes drafts, whose rights apply from then on. Requires the exclusive lock of the tree.
 * @throws ApiError 404 if one of the folders is absent, 409 if one is not a draft
 */
export async function publishDrafts(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const wanted = (await requireDrafts(db, workspace, folderIds)).map(({ id }) => id)
  const [published] = await Promise.all([
    setDraft(db, workspace, wanted, false),
    shortenSchedule(db, workspace, wanted),
  ])
  return published
}

/** @throws ApiError 404 if one of the folders is absent, 409 if one is not a draft */
export async function requireDrafts(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const wanted = [...new Set(folderIds)]
  const present = await db
    .selectFrom('folders')
    .select(['id', 'name', 'is_draft'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', sql<number>`any(${wanted}::int[])`)
    .where('deleted_at', 'is', null)
    .execute()
  if (present.length < wanted.length) throw notFound()
  if (!present.every(({ is_draft }) => is_draft)) throw refusal('not_draft')
  return present
}

const openIn = ({ id }: AdministeredWorkspace, folderIds: readonly number[]) => sql`
  top as materialized (
    select t.id, t.id_path from folders t where t.workspace_id = ${id} and t.id = any(${folderIds}::int[])
      and not ${isInDraft(id, sql`t.id_path`)}
  ), inside as materialized (
    select distinct d.id from top join folders d on d.workspace_id = ${id} and d.deleted_at is null
      and ${isInSubtree(sql`d.id_path`, sql`top.id_path`)} and not ${isInDraft(id, sql`d.id_path`)}
  )`

/** Groups that see anything of the folders, and the people in them. */
function seeingOf(workspace: AdministeredWorkspace, folderIds: readonly number[]) {
  const { id, actor } = workspace
  const own = sql`array[g.id]`
  return sql`
    ${openIn(workspace, folderIds)}, seeing as materialized (
      select g.id from groups g
      where g.workspace_id = ${id} and not g.is_draft and not ${isOfAdmins('g')} and ${isActive('g', todayOf(actor))} and exists (
        select from top where (select view from ${rightsOf(id, own, sql`top.id_path`)} r)
          or ${leadsToVisible(id, own, sql`top.id_path`)})
    ), person as materialized (
      select distinct m.user_id from seeing join group_memberships m on m.workspace_id = ${id} and m.group_id = seeing.id
      where m.user_id not in (select a.user_id from ${workspaceAdmins} a where a.workspace_id = ${id})
    )`
}

/** Counts what publishing the folders has shown, and to whom. */
export async function countPublished(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
): Promise<Published> {
  const { id } = workspace
  const { rows } = await sql<Published>`
    with ${seeingOf(workspace, folderIds)}
    select (select count(*) from inside) as folders, (
        select count(*) from inside join files f on f.workspace_id = ${id} and f.folder_id = inside.id
        where f.deleted_at is null
      ) as files, (select count(*) from person) as people, (select count(*) from seeing) as groups, (
        select count(*) from person join workspace_memberships m on m.workspace_id = ${id} and m.user_id = person.user_id
        where ${isUninvited('m')}
      ) as uninvited`.execute(db)
  return rows[0] ?? { folders: 0, files: 0, people: 0, groups: 0, uninvited: 0 }
}

/** People who see anything of the folders and are not invited yet. Locks them against being invited twice. */
export async function listUninvitedTo(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
  limit: number,
): Promise<Invited[]> {
  const { rows } = await sql<Invited>`
    with ${seeingOf(workspace, folderIds)}
    select u.id, m.id as membership_id, u.email, u.first_name, u.last_name
    from person join workspace_memberships m on m.workspace_id = ${workspace.id} and m.user_id = person.user_id
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    where ${isUninvited('m')} order by m.id limit ${limit} for no key update of m`.execute(db)
  return rows
}

/** Records each file that is in no draft any more, so that it is news. */
export async function recordPublished(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
): Promise<void> {
  await recordFound(
    db,
    workspace,
    sql`
      with ${openIn(workspace, folderIds)}
      select ${foundAct('file_published', sql`f.title`)}, f.id as subject_id,
        row_number() over (order by f.folder_id, f.index) as position
      from inside join files f on f.workspace_id = ${workspace.id} and f.folder_id = inside.id where f.deleted_at is null`,
  )
}
