import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, VisibleFolder } from '../../access/scopes.ts'
import { type Fragment, hasRight, isActive, isInSubtree, leadsToVisible } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { kindOf } from '../files/file-types.ts'
import { fileOutline, nameBehind, outlinesAmong } from '../folders/outlines.ts'
import { actsOf, filesIn, members, type Period, readingOf } from './engaged.ts'

type EngagedFile = Reply<Api['engagement']['documents']>['files'][number]
type EngagedFolder = Reply<Api['engagement']['folders']>['folders'][number]

interface Page {
  page: number
  per_page: number
}

interface Listed<Row> {
  total_items: number
  rows: Row[]
}

const NOTHING = { total_items: 0, rows: [] }

/** The files of a folder and everything below, most read first, with what each group did. */
export async function listEngagedFiles(
  db: Db,
  { workspace, id_path }: VisibleFolder & { workspace: AdministeredWorkspace },
  period: Period,
  { page, per_page }: Page,
): Promise<Listed<EngagedFile>> {
  const { id } = workspace
  const { rows } = await sql<Listed<EngagedFile>>`
    with ${members(workspace)}, ${readingOf(workspace, period)}, ${actsOf(workspace, period)}, rank as materialized (
      select coalesce(r.file_id, a.file_id) as file_id, coalesce(r.ms, 0) as ms, coalesce(a.views, 0) as views
      from (select file_id, sum(ms) as ms from reading where user_id in (select user_id from member) group by file_id) r
      full join (select file_id, sum(views) as views from act where user_id in (select user_id from member)
        group by file_id) a on a.file_id = r.file_id
    ), file as materialized (
      select f.id, f.folder_id, coalesce(k.ms, 0) as ms, coalesce(k.views, 0) as views
      from folders d cross join lateral ${filesIn(id, sql`d.id`)} f left join rank k on k.file_id = f.id
      where d.workspace_id = ${id} and d.deleted_at is null and ${isInSubtree(sql`d.id_path`, id_path)}
    ), listed as materialized (
      select * from file order by ms desc, views desc, id limit ${per_page} offset ${(page - 1) * per_page}
    ), done as materialized (${doneBy(sql`listed l on l.id = x.file_id`, sql`l.id`)})
    select (select count(*)::int from file) as total_items, coalesce((
      select json_agg(json_build_object('file_id', f.id, 'folder_id', f.folder_id, 'outline', ${fileOutline},
          'title', ${nameBehind(fileOutline, 'f', 'title')}, 'kind', ${kindOf(sql`f.file_content_type`)}, 'pages', coalesce(cardinality(c.page_widths), 0), 'cells', ${cells(
            workspace,
            sql`f.id`,
            hasRight({ workspaceId: id, groupId: sql`g.id`, flag: 'view', idPath: sql`d.id_path` }),
          )}) order by l.ms desc, l.views desc, l.id)
      from listed l join files f on f.workspace_id = ${id} and f.id = l.id
      join folders d on d.workspace_id = ${id} and d.id = f.folder_id
      join ${outlinesAmong(workspace, { ids: sql`array(select folder_id from listed)` })} n on n.id = f.folder_id
      join file_versions v on v.workspace_id = ${id} and v.file_id = f.id and v.version = f.version
      left join documents c on c.workspace_id = ${id} and c.blob_id = v.blob_id
    ), '[]') as rows`.execute(db)
  return rows[0] ?? NOTHING
}

/** The subfolders of a folder, with what each group did with the files in each of them, at any depth. */
export async function listEngagedFolders(
  db: Db,
  { id: parent, workspace, id_path }: VisibleFolder & { workspace: AdministeredWorkspace },
  period: Period,
  { page, per_page }: Page,
): Promise<Listed<EngagedFolder>> {
  const { id } = workspace
  const { rows } = await sql<Listed<EngagedFolder>>`
    with ${members(workspace)}, ${readingOf(workspace, period)}, ${actsOf(workspace, period)}, listed as materialized (
      select d.id, d.name, d.number_length, d.id_path, d.index from folders d
      where d.workspace_id = ${id} and d.parent_id = ${parent} and d.id <> 0 and d.deleted_at is null
      order by d.index limit ${per_page} offset ${(page - 1) * per_page}
    ), place as materialized (
      select f.id as file_id, d.id_path[${id_path.length + 1}::int] as child_id
      from (select file_id from reading union select file_id from act) used
      join files f on f.workspace_id = ${id} and f.id = used.file_id and f.deleted_at is null
      join folders d on d.workspace_id = ${id} and d.id = f.folder_id and ${isInSubtree(sql`d.id_path`, id_path)}
    ), done as materialized (${doneBy(sql`place p on p.file_id = x.file_id`, sql`p.child_id`)})
    select (select count(*)::int from folders d where d.workspace_id = ${id} and d.parent_id = ${parent} and d.id <> 0
        and d.deleted_at is null) as total_items, coalesce((
      select json_agg(json_build_object('folder_id', l.id, 'outline', n.outline, 'name', ${nameBehind(sql`n.outline`, 'l', 'name')}, 'cells',
        ${cells(
          workspace,
          sql`l.id`,
          sql`(${hasRight({ workspaceId: id, groupId: sql`g.id`, flag: 'view', idPath: sql`l.id_path` })}
            or ${leadsToVisible(id, sql`array[g.id]`, sql`l.id_path`)})`,
        )}) order by l.index)
      from listed l join ${outlinesAmong(workspace, { ids: sql`array(select id from listed)` })} n on n.id = l.id
    ), '[]') as rows`.execute(db)
  return rows[0] ?? NOTHING
}

/** What groups did with files `x`, joined to the rows of a list: `(group_id, row_id, ms, readers, views, downloads)`. */
const doneBy = (rows: Fragment, row: Fragment): Fragment => sql`
  select m.group_id, ${row} as row_id, sum(x.ms)::float8 as ms, count(distinct x.user_id) filter (where x.ms > 0)::int as readers,
    sum(x.views)::int as views, sum(x.downloads)::int as downloads
  from (
    select user_id, file_id, ms, 0 as views, 0 as downloads from reading
    union all select user_id, file_id, 0, views, downloads from act
  ) x join ${rows} join member m on m.user_id = x.user_id
  group by 1, 2`

const cells = ({ id, actor }: AdministeredWorkspace, row: Fragment, access: Fragment): Fragment => sql`(
  select coalesce(json_agg(json_build_object('group_id', g.id, 'access', ${isActive('g', todayOf(actor))} and ${access}, 'ms', coalesce(o.ms, 0),
    'readers', coalesce(o.readers, 0), 'views', coalesce(o.views, 0), 'downloads', coalesce(o.downloads, 0)) order by g.id), '[]')
  from groups g left join done o on o.group_id = g.id and o.row_id = ${row}
  where g.workspace_id = ${id} and g.kind = 'custom' and not g.is_draft)`
