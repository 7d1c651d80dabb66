import { sql } from 'kysely'
import type { GroupPages } from '../../../contract/engagement/page-times.ts'
import { REACH_MS } from '../../../contract/endpoints/deal/engagement.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { actsOf, during, members, type Period } from './engaged.ts'

/** What the members of groups that are not built in did with a file. Each person counts once, whatever their groups. */
export interface ReadFile {
  file_id: number
  /** Of all versions. */
  ms: number
  readers: number
  views: number
  downloads: number
  /** Of the current version. */
  pages: GroupPages
}

/** The same for several files, by their ids. */
export async function readFilesTogether(
  db: Db,
  workspace: AdministeredWorkspace,
  period: Period,
  fileIds: readonly number[],
): Promise<Map<number, ReadFile>> {
  const { id } = workspace
  const { rows } = await sql<ReadFile>`
    with ${members(workspace)}, ${actsOf(workspace, period, sql`and subject_id = any(${fileIds}::int[])`)}, time as materialized (
      select t.file_id, t.user_id, t.page, t.version = f.version as is_current, sum(t.ms)::float8 as ms
      from unnest(${fileIds}::int[]) wanted (id) join files f on f.workspace_id = ${id} and f.id = wanted.id
      join reading_times t on t.workspace_id = ${id} and t.file_id = f.id and t.day ${during(period)}
      where t.user_id in (select user_id from member)
      group by t.file_id, t.user_id, t.page, t.version = f.version
    ), spent as materialized (
      select file_id, sum(ms) as ms, count(distinct user_id)::int as readers,
        count(distinct user_id) filter (where is_current)::int as page_readers
      from time group by file_id
    ), doing as materialized (
      select file_id, sum(views)::int as views, sum(downloads)::int as downloads from act
      where user_id in (select user_id from member) group by file_id
    ), page_time as materialized (
      select file_id, json_agg(json_build_object('page_number', page, 'ms', ms) order by page) as page_times
      from (select file_id, page, sum(ms) as ms from time where is_current group by file_id, page) x group by file_id
    ), stop as materialized (
      select file_id, json_agg(json_build_object('page_number', last_page, 'readers', readers) order by last_page) as stops
      from (
        select file_id, last_page, count(*) as readers from (
          select file_id, user_id, max(page) as last_page from time where is_current and ms >= ${REACH_MS}::int
          group by file_id, user_id
        ) reached group by file_id, last_page
      ) x group by file_id
    )
    select wanted.id as file_id, coalesce(s.ms, 0) as ms, coalesce(s.readers, 0) as readers, coalesce(d.views, 0) as views,
      coalesce(d.downloads, 0) as downloads, json_build_object('readers', coalesce(s.page_readers, 0),
        'page_times', coalesce(p.page_times, '[]'), 'stops', coalesce(x.stops, '[]')) as pages
    from unnest(${fileIds}::int[]) wanted (id) left join spent s on s.file_id = wanted.id
    left join doing d on d.file_id = wanted.id left join page_time p on p.file_id = wanted.id
    left join stop x on x.file_id = wanted.id`.execute(db)
  return new Map(rows.map((row) => [row.file_id, row]))
}
