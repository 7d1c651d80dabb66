import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { type ActivityFilters, conditionOf } from './activity-page.ts'

type Summary = Reply<Api['activities']['summary']>

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MOST_DAYS = 366
const TOP = 10

const VIEWED = sql`verb in ('viewed', 'opened') and subject_type = 'Asset'`
const DOWNLOADED = sql`verb = 'downloaded'`

/** Counts activities within the filters, in one pass over the requested days. */
export async function summarizeActivities(
  db: Db,
  workspace: AdministeredWorkspace,
  filters: ActivityFilters,
): Promise<Summary> {
  const range = rangeOf(filters, todayOf(workspace.actor))
  const { rows } = await sql<Pick<Summary, 'total' | 'days' | 'files' | 'people'>>`
    with act as materialized (
      select created_at, user_id, verb, subject_type, subject_id from activities
      where ${conditionOf(workspace, { ...filters, ...range })}
    ), reading as materialized (
      select subject_id as file_id, user_id, ${tally} from act
      where subject_type = 'Asset' and (${VIEWED} or ${DOWNLOADED}) group by 1, 2
    )
    select (select count(*)::int from act) as total, ${listOf(days)} as days, ${listOf(topFiles(workspace))} as files,
      ${listOf(topPeople(workspace))} as people`.execute(db)
  return { ...range, ...(rows[0] ?? { total: 0, days: [], files: [], people: [] }) }
}

const listOf = (rows: RawBuilder<unknown>) => sql`coalesce((select json_agg(row) from (${rows}) row), '[]')`

const tally = sql`count(*) filter (where ${VIEWED})::int as views, count(*) filter (where ${DOWNLOADED})::int as downloads`
const others = sql`count(*) filter (where ((${VIEWED}) or ${DOWNLOADED}) is not true)::int as others`

const days = sql`
  select created_at::date::text as day, ${tally}, ${others} from act group by created_at::date order by 1`

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
  const first = from ?? before(last, USUAL_DAYS - 1)
  const earliest = before(last, MOST_DAYS - 1)
  return { from: first < earliest ? earliest : first, to: last }
}

/** @param date `YYYY-MM-DD` */
function before(date: string, days: number): string {
  const day = new Date(Math.max(Date.parse(date) - days * DAY_MS, Date.parse('0001-01-01')))
  return day.toISOString().slice(0, 10)
}
