import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, VisibleFolder } from '../../access/scopes.ts'
import { type Fragment, isInSubtree } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type About, FEW, isAboutGroup } from './activity-feed.ts'
import { type ActivityFilters, conditionOf } from './activity-page.ts'
import { dayAfter, dayAt, daysFrom, endOf, momentOf, startOf, type Zone, zoneOf } from './local-days.ts'

/** Activities within the filters that meet another condition. */
type Acts = (condition: Fragment) => Fragment

type Summary = Reply<Api['activities']['summary']>

const USUAL_DAYS = 30
const MOST_DAYS = 366
const TOP = 10

const VIEWED = sql`verb in ('viewed', 'opened') and subject_type = 'Asset'`
/** A zip is recorded for each of its files, and for its folders. */
const DOWNLOADED = sql`verb = 'downloaded' and subject_type = 'Asset'`

/** Counts activities within the filters, in one pass over the requested days. */
export async function summarizeActivities(
  db: Db,
  workspace: AdministeredWorkspace,
  { from, to, time_zone, ...filters }: ActivityFilters,
  { folder, group }: About = {},
): Promise<Summary> {
  const zone = zoneOf(time_zone)
  const range = rangeOf({ from, to }, dayAt(workspace.actor.now.getTime(), zone))
  const starts = startsOf(range, zone)
  const [since, before] = [starts[0]?.start, starts.at(-1)?.start]
  const acts: Acts = (condition) => sql`
    select created_at, user_id, verb, subject_type, subject_id from activities
    where ${conditionOf(workspace, { ...filters, since, before })} ${group ? sql`and ${isAboutGroup(group)}` : sql``}
      and ${condition}`
  const { rows } = await sql<Omit<Summary, 'from' | 'to'>>`
    with ${folder ? actsInside(folder, acts) : sql`act as materialized (${acts(sql`true`)})`}, reading as materialized (
      select subject_id as file_id, user_id, ${tally}, max(created_at) as last from act
      where subject_type = 'Asset' and ((${VIEWED}) or (${DOWNLOADED})) group by 1, 2
    )
    select (select count(*)::int from act) as total, ${listOf(daysBy(starts))} as days, (select row_to_json(all_reading) from (${reading}) all_reading) as reading, ${listOf(topFiles(workspace))} as files,
      ${listOf(topPeople(workspace))} as people`.execute(db)
  return { ...range, ...(rows[0] ?? NOTHING) }
}

const listOf = (rows: RawBuilder<unknown>) => sql`coalesce((select json_agg(row) from (${rows}) row), '[]')`

const tally = sql`count(*) filter (where ${VIEWED})::int as views, count(*) filter (where ${DOWNLOADED})::int as downloads`
const others = sql`count(*) filter (where ((${VIEWED}) or (${DOWNLOADED})) is not true)::int as others`

const NOTHING = {
  total: 0,
  days: [],
  reading: { views: 0, downloads: 0, people: 0, last_at: null },
  files: [],
  people: [],
}

/** The days of the range with the moments at which they begin, and the day after the last. */
function startsOf({ from, to }: Record<'from' | 'to', string>, zone: Zone): { day: string; start: string }[] {
  const starts = daysFrom(from, to).map((day) => ({ day, start: momentOf(startOf(day, zone)) }))
  return [...starts, { day: dayAfter(to, 1), start: momentOf(endOf(to, zone)) }]
}

const daysBy = (starts: readonly { day: string; start: string }[]) => sql`
  select (${starts.map(({ day }) => day)}::text[])[at] as day, ${tally}, ${others}
  from (select *, width_bucket(created_at, ${starts.map(({ start }) => start)}::timestamptz[]) as at from act) act
  group by at order by at`

const reading = sql`
  select coalesce(sum(views), 0)::int as views, coalesce(sum(downloads), 0)::int as downloads,
    count(distinct user_id)::int as people, to_char(max(last), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_at
  from reading`

/** The acts on files in a folder. Of many files, they are looked for among all acts of the days. */
function actsInside({ workspace, id_path }: VisibleFolder, acts: Acts): Fragment {
  const inside = sql`
    select f.id from folders d join files f on f.workspace_id = d.workspace_id and f.folder_id = d.id
    where d.workspace_id = ${workspace.id} and ${isInSubtree(sql`d.id_path`, id_path)}`
  // An index of its own for each: one of all files by their folders does not exist.
  return sql`
    file as materialized (
      (${inside} and f.deleted_at is null limit ${FEW}) union all
      (${inside} and f.deleted_at is not null limit ${FEW})
    ), size as materialized (select count(*) < ${FEW} as is_small from file),
    day as materialized (
      ${acts(sql`subject_type = 'Asset' and (select not is_small from size)`)}
    ), read as materialized (
      select id from (
        select f.id, ${isInSubtree(sql`d.id_path`, id_path)} as is_inside
        from (select distinct subject_id as id from day) of_day
        join files f on f.workspace_id = ${workspace.id} and f.id = of_day.id
        join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id offset 0
      ) file where is_inside
    ), act as materialized (
      select * from day where subject_id in (select id from read) union all
      select of_file.* from file cross join lateral (
        ${acts(sql`subject_type = 'Asset' and subject_id = file.id`)} offset 0
      ) of_file where (select is_small from size)
    )`
}

const topFiles = ({ id }: AdministeredWorkspace) => sql`
  select top.*, f.folder_id, f.title, f.deleted_at is not null as deleted
  from (
    select file_id, sum(views)::int as views, sum(downloads)::int as downloads, count(*)::int as people
    from reading group by file_id order by sum(views + downloads) desc, file_id limit ${TOP}
  ) top left join files f on f.workspace_id = ${id} and f.id = top.file_id
  order by top.views + top.downloads desc, top.file_id`

const topPeople = ({ id }: AdministeredWorkspace) => sql`
  select top.user_id, newest.user_name, top.views, top.downloads, top.others,
    (select count(*)::int from reading r where r.user_id = top.user_id) as files,
    to_char(top.last, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_active_at
  from (
    select user_id, ${tally}, ${others}, count(*) as total, max(created_at) as last
    from act group by user_id order by count(*) desc, user_id limit ${TOP}
  ) top cross join lateral (
    select a.user_name from activities a where a.workspace_id = ${id} and a.user_id = top.user_id
    order by a.created_at desc, a.id desc limit 1
  ) newest
  order by top.total desc, top.user_id`

function rangeOf({ from, to }: ActivityFilters, today: string): { from: string; to: string } {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? dayAfter(last, 1 - USUAL_DAYS)
  const earliest = dayAfter(last, 1 - MOST_DAYS)
  return { from: first < earliest ? earliest : first, to: last }
}
