import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { todayOf } from '../auth/actor.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { type ActivityFilters, conditionOf } from './activities.ts'

type Summary = Reply<Api['activities']['summary']>

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MOST_DAYS = 366
const TOP = 10

const VIEWED = sql`verb in ('viewed', 'opened') and subject_type = 'Asset'`
const DOWNLOADED = sql`verb = 'downloaded'`

/** What happened within the filters, counted in one walk over the days asked for. */
export async function summarizeActivities(
  db: Db,
  workspace: AdministeredWorkspace,
  filters: ActivityFilters,
): Promise<Summary> {
  const range = rangeOf(filters, todayOf(workspace.actor))
  const { rows } = await sql<Pick<Summary, 'total' | 'days' | 'files' | 'people'>>`
    with act as materialized (
      select created_at, user_id, user_name, verb, subject_type, subject_id from activities
      where ${conditionOf(workspace, { ...filters, ...range })}
    )
    select (select count(*)::int from act) as total, ${listOf(days)} as days, ${listOf(topFiles(workspace))} as files,
      ${listOf(topPeople)} as people`.execute(db)
  return { ...range, ...(rows[0] ?? { total: 0, days: [], files: [], people: [] }) }
}

const listOf = (rows: RawBuilder<unknown>) => sql`coalesce((select json_agg(row) from (${rows}) row), '[]')`

const tally = sql`count(*) filter (where ${VIEWED})::int as views, count(*) filter (where ${DOWNLOADED})::int as downloads`
const others = sql`count(*) filter (where ((${VIEWED}) or ${DOWNLOADED}) is not true)::int as others`

const days = sql`
  select to_char(created_at, 'YYYY-MM-DD') as day, ${tally}, ${others} from act group by 1 order by 1`

const topFiles = ({ id }: AdministeredWorkspace) => sql`
  select top.*, f.folder_id, f.title, f.deleted_at is not null as deleted
  from (
    select subject_id as file_id, ${tally}, count(distinct user_id)::int as people from act
    where subject_type = 'Asset' and (${VIEWED} or ${DOWNLOADED})
    group by subject_id order by count(*) desc, subject_id limit ${TOP}
  ) top left join files f on f.workspace_id = ${id} and f.id = top.file_id
  order by top.views + top.downloads desc, top.file_id`

const topPeople = sql`
  select user_id, (array_agg(user_name order by created_at desc))[1] as user_name, ${tally}, ${others},
    count(distinct subject_id) filter (where subject_type = 'Asset' and (${VIEWED} or ${DOWNLOADED}))::int as files,
    to_char(max(created_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_active_at
  from act group by user_id order by count(*) desc, user_id limit ${TOP}`

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
