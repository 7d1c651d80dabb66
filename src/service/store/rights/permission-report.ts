import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredWorkspace, ReadableFile, VisibleFolder } from '../../access/scopes.ts'
import {
  type Fragment,
  invitationStateOf,
  isActive,
  isOfAdmins,
  isOfWorkspaceAdmins,
  nearestOverrides,
  rightsOf,
  SET_RIGHTS,
  termsAwaitOn,
} from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { outlineForAdmins, withoutOwnNumber } from '../folders/outlines.ts'

type Person = Reply<Api['permissions']['listPeople']>[number]
type MatrixRow = Reply<Api['permissions']['matrix']>[number]

const PAGE = 500

/**
 * Lists all users who have a right in a folder, admins first, then by name, with the groups that grant it and the
 * folders at which it was granted. Groups whose access has expired grant nothing.
 */
export async function listPeople(db: Db, workspace: AdministeredWorkspace, folder: VisibleFolder): Promise<Person[]> {
  return readPeople(db, workspace, folder, sql`f.folder_id = ${folder.id} and f.deleted_at is null`)
}

/** The same for the users who may view a file. */
export async function listFilePeople(
  db: Db,
  workspace: AdministeredWorkspace,
  { id, folder }: ReadableFile,
): Promise<Person[]> {
  const people = await readPeople(db, workspace, folder, sql`f.id = ${id}`)
  return people.filter(({ view }) => view)
}

/** @param files condition for the files `f` whose last opening is told */
async function readPeople(db: Db, workspace: AdministeredWorkspace, folder: VisibleFolder, files: Fragment) {
  const { rows } = await sql<Person>`
    with granted as (${grantedIn(workspace, folder)}), person as (
      select m.user_id, bool_or(r.admin) as admin, bool_or(r.flag = 'view') as view,
        bool_or(r.flag = 'download') as download, bool_or(r.flag = 'upload') as upload,
        bool_or(r.flag = 'download' and r.drm_enabled) as drm,
        bool_or(r.flag = 'download' and r.watermarked) as watermark,
        bool_or(r.flag = 'view' and (r.watermarked or r.drm_enabled)) as marked_pages,
        ${lastEnd(sql`true`)} as until,
        json_build_object(${sql.join(FLAGS.flatMap((flag) => [sql.lit(flag), lastEnd(sql`r.flag = ${sql.lit(flag)}`)]))}) as ends,
        jsonb_agg(jsonb_build_object('flag', r.flag, 'group_id', r.group_id, 'group_name', r.group_name,
          'folder_id', r.folder_id, 'folder_name', r.folder_name, 'folder_outline', r.folder_outline)
          order by r.group_name, r.group_id, array_position(${FLAGS}::text[], r.flag)) as reasons
      from granted r
      join group_memberships m on m.workspace_id = ${workspace.id} and m.group_id = r.group_id
      group by m.user_id
    ), opened as materialized (${openingsOf(workspace, files)})
    select jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email) as user,
      p.admin, p.view, p.download, p.upload, p.drm and not p.admin as drm, p.watermark and not p.admin as watermark,
      p.marked_pages and not p.admin as marked_pages, p.until, p.ends,
      to_char(opened.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_opened_at, ${invitationStateOf('m')} as invitation_state, ${termsAwaitOn(todayOf(workspace.actor))} as terms_await,
      p.reasons
    from person p
    join workspace_memberships m on m.workspace_id = ${workspace.id} and m.user_id = p.user_id
    join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
    join users u on u.organization_id = ${workspace.organization_id} and u.id = p.user_id
    left join opened on opened.user_id = p.user_id
    order by p.admin desc, u.first_name, u.last_name, u.id`.execute(db)
  return rows
}

/** The end of what rights `r` grant; null where one of them has no end. An admin's have none. */
const lastEnd = (which: Fragment): Fragment => sql`case when bool_and(r.ends_on is not null) filter (where ${which})
  then (max(r.ends_on) filter (where ${which}))::text end`

const grantedIn = (workspace: AdministeredWorkspace, folder: VisibleFolder): Fragment => sql`
  select g.id as group_id, g.name as group_name, n.flag, d.id as folder_id,
    case when d.id = 0 then 'All Folders' else ${withoutOwnNumber('d')} end as folder_name,
    ${outlineForAdmins(sql`d.id_path`, { workspace_id: sql`d.workspace_id` })} as folder_outline,
    false as admin, g.drm_enabled, g.watermarked,
    g.expire_workspace_access_at as ends_on
  from ${nearestOverrides(workspace.id, folder.id_path)} n
  join groups g on g.workspace_id = ${workspace.id} and g.id = n.group_id and not ${isOfAdmins('g')}
    and ${isActive('g', todayOf(workspace.actor))}
  join folders d on d.workspace_id = ${workspace.id} and d.id = n.folder_id
  where n.value
  union all
  select g.id, g.name, flag, 0, 'All Folders', '', true, false, false, null
  from groups g cross join unnest(${FLAGS}::text[]) flag
  where g.workspace_id = ${workspace.id} and ${isOfWorkspaceAdmins('g')}`

const openingsOf = ({ id }: AdministeredWorkspace, files: Fragment): Fragment => sql`
  select a.user_id, max(a.created_at) as at
  from files f cross join lateral (
    select user_id, created_at from activities a where a.workspace_id = ${id} and a.subject_id = f.id
      and a.subject_type = 'Asset' and a.verb in ('viewed', 'opened', 'downloaded') offset 0
  ) a
  where f.workspace_id = ${id} and ${files} group by a.user_id`

/**
 * Yields the rights that are set for every group that takes folder permissions, on drafts too, each folder before the
 * folders below it.
 */
export async function* listMatrix(db: Db, workspace: AdministeredWorkspace): AsyncIterable<MatrixRow> {
  for (let after: readonly number[] = []; ;) {
    const rows = await selectMatrix(db, workspace, after)
    for (const { id_path: _, ...row } of rows) yield row
    const last = rows.at(-1)
    if (!last) return
    after = last.id_path
  }
}

async function selectMatrix(db: Db, { id }: AdministeredWorkspace, after: readonly number[]) {
  const { rows } = await sql<MatrixRow & { id_path: number[] }>`
    with place as materialized (
      select f.id, f.id_path from folders f
      where f.workspace_id = ${id} and f.deleted_at is null and f.id_path > ${after}::int[]
      order by f.id_path limit ${PAGE}
    )
    select place.id as folder_id, place.id_path, a.path, a.outline, coalesce((
      select jsonb_agg(jsonb_build_object('group_id', g.id, 'group_name', g.name, 'view', r.view,
        'download', r.download, 'upload', r.upload) order by g.id)
      from groups g cross join lateral ${rightsOf(id, sql`array[g.id]`, sql`place.id_path`, SET_RIGHTS)} r
      where g.workspace_id = ${id} and not ${isOfAdmins('g')}), '[]') as groups
    from place
    cross join lateral (
      select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') as path,
        coalesce(string_agg(a.index::text, '.' order by cardinality(a.id_path)), '') as outline
      from folders a where a.workspace_id = ${id} and a.id = any(place.id_path) and a.id <> 0
    ) a
    order by place.id_path`.execute(db)
  return rows
}
