import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { type Fragment, hasRight, isActive, viewedRanges } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { dayAfter } from '../audit/local-days.ts'
import { actsOf, filesIn, isoTime, members, type Period } from './engaged.ts'

type EngagedGroup = Reply<Api['engagement']['groups']>['groups'][number]

/** What each group did in the period, most reading first. */
export async function listEngagedGroups(
  db: Db,
  workspace: AdministeredWorkspace,
  period: Period,
): Promise<EngagedGroup[]> {
  const { id } = workspace
  const { rows } = await sql<EngagedGroup>`
    with ${members(workspace)}, ${actsOf(workspace, period)}, own as materialized (
      select user_id, day, sum(ms) as ms from reading_times
      where workspace_id = ${id} and day between ${formerStart(period)}::date and ${period.to}::date group by user_id, day
    ), daily as materialized (
      select m.group_id, o.day, sum(o.ms)::float8 as ms from own o join member m on m.user_id = o.user_id
      group by m.group_id, o.day
    ), reading as materialized (
      select group_id, coalesce(sum(ms) filter (where day >= ${period.from}::date), 0) as ms,
        coalesce(sum(ms) filter (where day < ${period.from}::date), 0) as former_ms,
        coalesce(json_agg(json_build_object('day', day::text, 'ms', ms) order by day)
          filter (where day >= ${period.from}::date), '[]') as days
      from daily group by group_id
    ), doing as materialized (
      select m.group_id, count(distinct a.user_id)::int as active, sum(a.views)::int as views,
        sum(a.downloads)::int as downloads, min(a.first_at) as first_at, max(a.last_at) as last_at
      from act a join member m on m.user_id = a.user_id group by m.group_id
    ), ${viewing(workspace)}
    select g.id as group_id, g.name, (select count(*)::int from member m where m.group_id = g.id) as members,
      coalesce(d.active, 0) as active, coalesce(r.ms, 0) as ms, coalesce(r.former_ms, 0) as former_ms,
      coalesce(r.days, '[]') as days, coalesce(s.viewable, 0) as viewable, coalesce(t.opened, 0) as opened, coalesce(d.views, 0) as views,
      coalesce(d.downloads, 0) as downloads, ${isoTime(sql`d.first_at`)} as first_at, ${isoTime(sql`d.last_at`)} as last_at
    from groups g
    left join reading r on r.group_id = g.id left join doing d on d.group_id = g.id
    left join seen s on s.group_id = g.id left join touched t on t.group_id = g.id
    where g.workspace_id = ${id} and g.kind = 'custom' and not g.is_draft
    order by coalesce(r.ms, 0) desc, g.id`.execute(db)
  return rows
}

/**
 * What each group may view today, `seen (group_id, viewable)`, and `touched (group_id, opened)` of it. Counts the files of each
 * folder once for all groups: a range has those up to its end without those up to its start.
 */
const viewing = ({ id, actor }: AdministeredWorkspace): Fragment => sql`range as materialized (
    select g.id as group_id, v.first, v.beyond from groups g cross join lateral ${viewedRanges(id, sql`g.id`)} v
    where g.workspace_id = ${id} and g.kind = 'custom' and not g.is_draft and ${isActive('g', todayOf(actor))}
  ), point as (
    select d.id_path as at, 1 as place, held.files, null::int as group_id, 0 as sign from folders d
    cross join lateral (select count(*) as files from ${filesIn(id, sql`d.id`)} file) held
    where d.workspace_id = ${id} and d.deleted_at is null and exists (select from range)
    union all select first, 0, 0, group_id, -1 from range
    union all select beyond, 0, 0, group_id, 1 from range
  ), counted as (
    select group_id, sign, sum(files) over (order by at, place rows unbounded preceding) as before from point
  ), seen as materialized (
    select group_id, sum(sign * before)::int as viewable from counted where group_id is not null group by group_id
  ), used as materialized (
    select m.group_id, f.folder_id, count(distinct f.id) as files
    from act a join member m on m.user_id = a.user_id
    join groups g on g.workspace_id = ${id} and g.id = m.group_id and ${isActive('g', todayOf(actor))}
    join files f on f.workspace_id = ${id} and f.id = a.file_id and f.deleted_at is null
    group by m.group_id, f.folder_id
  ), touched as materialized (
    select u.group_id, sum(u.files)::int as opened from used u
    join folders d on d.workspace_id = ${id} and d.id = u.folder_id and d.deleted_at is null
    where ${hasRight({ workspaceId: id, groupId: sql`u.group_id`, flag: 'view', idPath: sql`d.id_path` })}
    group by u.group_id
  )`

/** The first of as many days before the period. */
function formerStart({ from, to }: Period): string {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return dayAfter(from, -days)
}
