import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { viewedRanges } from '../../access/sql.ts'
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
    ), touched as materialized (
      select distinct m.group_id, a.file_id from act a join member m on m.user_id = a.user_id
    )
    select g.id as group_id, g.name, (select count(*)::int from member m where m.group_id = g.id) as members,
      coalesce(d.active, 0) as active, coalesce(r.ms, 0) as ms, coalesce(r.former_ms, 0) as former_ms,
      coalesce(r.days, '[]') as days, seen.viewable, seen.opened, coalesce(d.views, 0) as views,
      coalesce(d.downloads, 0) as downloads, ${isoTime(sql`d.first_at`)} as first_at, ${isoTime(sql`d.last_at`)} as last_at
    from groups g
    left join reading r on r.group_id = g.id left join doing d on d.group_id = g.id
    cross join lateral (
      select count(*)::int as viewable, count(t.file_id)::int as opened
      from ${viewedRanges(id, sql`g.id`)} range cross join lateral (
        select id from folders d where d.workspace_id = ${id} and d.deleted_at is null
          and d.id_path >= range.first and d.id_path < range.beyond order by d.id_path
      ) d cross join lateral ${filesIn(id, sql`d.id`)} file left join touched t on t.group_id = g.id and t.file_id = file.id
    ) seen
    where g.workspace_id = ${id} and g.kind = 'custom'
    order by coalesce(r.ms, 0) desc, g.id`.execute(db)
  return rows
}

/** The first of as many days before the period. */
function formerStart({ from, to }: Period): string {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return dayAfter(from, -days)
}
