import { sql } from 'kysely'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { type Fragment, isActive, viewedRanges } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { fileOutline, nameBehind, outlinesAmong } from '../folders/outlines.ts'
import { actsOf, during, filesIn, members, type Period } from './engaged.ts'

/** The numbers of more folders take too long: their time grows with the square of these. */
const MOST_FOLDERS = 1000

/** What the members of groups that are not built in did together. Each person counts once, whatever their groups. */
export interface EngagedTotals {
  people: number
  /** People who read a page for any time. */
  readers: number
  ms: number
  views: number
  downloads: number
  /** Omits days without reading. */
  days: { day: string; ms: number }[]
  /** Files that were viewed, opened, downloaded or read, also those that no group may view today. */
  used: number
  /** Files that a group may view today, and those of them that no member viewed, opened, downloaded or read. */
  viewable: number
  unread: number
  /** The first of the unread files, in the order of their numbers, of at most 1,000 folders. */
  unread_files: { file_id: number; outline: string; title: string }[]
}

/** The totals of the period, with at most `most` of the unread files. */
export async function readEngagedTotals(
  db: Db,
  workspace: AdministeredWorkspace,
  period: Period,
  most: number,
): Promise<EngagedTotals> {
  const { id } = workspace
  const { rows } = await sql<EngagedTotals>`
    with ${members(workspace)}, ${actsOf(workspace, period)}, own as materialized (
      select user_id, file_id, day, sum(ms) as ms from reading_times
      where workspace_id = ${id} and day ${during(period)} and user_id in (select user_id from member)
      group by user_id, file_id, day
    ), doing as materialized (
      select coalesce(sum(views), 0)::int as views, coalesce(sum(downloads), 0)::int as downloads
      from act where user_id in (select user_id from member)
    ), used as materialized (
      select file_id from own union select file_id from act where user_id in (select user_id from member)
    ), ${viewedFiles(workspace)}, unread as materialized (
      select f.id, f.folder_id from viewed f left join used u on u.file_id = f.id where u.file_id is null
    ), named as (
      select f.id as file_id, ${fileOutline} as outline, ${nameBehind(fileOutline, 'f', 'title')} as title from unread x
      join files f on f.workspace_id = ${id} and f.id = x.id
      join ${outlinesAmong(workspace, {
        ids: sql`array(
        select distinct folder_id from unread order by folder_id limit ${MOST_FOLDERS}::int)`,
      })} n on n.id = f.folder_id
    ), listed as (
      select named.*, string_to_array(outline, '.')::int[] as place from named order by place limit ${most}::int
    )
    select (select count(distinct user_id)::int from member) as people,
      (select count(distinct user_id)::int from own where ms > 0) as readers,
      (select coalesce(sum(ms), 0)::float8 from own) as ms, d.views, d.downloads, coalesce((
        select json_agg(json_build_object('day', day::text, 'ms', ms) order by day)
        from (select day, sum(ms)::float8 as ms from own group by day) daily), '[]') as days,
      (select count(*)::int from used u join files f on f.workspace_id = ${id} and f.id = u.file_id and f.deleted_at is null
        join folders p on p.workspace_id = ${id} and p.id = f.folder_id and p.deleted_at is null) as used,
      (select count(*)::int from viewed) as viewable, (select count(*)::int from unread) as unread, coalesce((
        select json_agg(json_build_object('file_id', file_id, 'outline', outline, 'title', title) order by place)
        from listed), '[]') as unread_files
    from doing d`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('the totals have no row')
  return totals
}

/** Files that any group whose access has not ended views, `viewed (id, folder_id)`: one pass along the folders and the ends of the ranges of all groups. */
const viewedFiles = ({ id, actor }: AdministeredWorkspace): Fragment => sql`range as materialized (
    select v.first, v.beyond from groups g cross join lateral ${viewedRanges(id, sql`g.id`)} v
    where g.workspace_id = ${id} and g.kind = 'custom' and not g.is_draft and ${isActive('g', todayOf(actor))}
  ), point as (
    select d.id_path as at, 1 as place, d.id as folder_id, 0 as step from folders d
    where d.workspace_id = ${id} and d.deleted_at is null and exists (select from range)
    union all select first, 0, null, 1 from range
    union all select beyond, 0, null, -1 from range
  ), walked as (
    select folder_id, sum(step) over (order by at, place rows unbounded preceding) as groups from point
  ), viewed as materialized (
    select f.id, f.folder_id from walked w cross join lateral ${filesIn(id, sql`w.folder_id`)} f
    where w.folder_id is not null and w.groups > 0
  )`
