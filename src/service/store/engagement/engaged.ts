import { sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import type { Fragment } from '../../access/sql.ts'
import { dayAfter, dayAt } from '../audit/local-days.ts'

/** First and last day, inclusive, in UTC. */
export interface Period {
  from: string
  to: string
}

const USUAL_DAYS = 14
const MOST_DAYS = 366

/** The wanted period: by default until today. */
export function periodOf({ actor }: Workspace, { from, to }: { [End in keyof Period]?: string | undefined }): Period {
  const today = dayAt(actor.now.getTime(), undefined)
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? dayAfter(last, 1 - USUAL_DAYS)
  const earliest = dayAfter(last, 1 - MOST_DAYS)
  return { from: first < earliest ? earliest : first, to: last }
}

/** Members of groups that are not built in: `member (group_id, user_id)`. */
export const members = ({ id }: Workspace): Fragment => sql`member as materialized (
  select gm.group_id, gm.user_id from groups g
  join group_memberships gm on gm.workspace_id = g.workspace_id and gm.group_id = g.id
  where g.workspace_id = ${id} and g.kind = 'custom')`

export const during = ({ from, to }: Period): Fragment => sql`between ${from}::date and ${to}::date`

/** What each person did with each file in the period: `act (user_id, file_id, views, downloads, first_at, last_at)`. */
export const actsOf = ({ id }: Workspace, { from, to }: Period, only = sql``): Fragment => sql`act as materialized (
  select user_id, subject_id as file_id, count(*) filter (where verb <> 'downloaded')::int as views,
    count(*) filter (where verb = 'downloaded')::int as downloads, min(created_at) as first_at, max(created_at) as last_at
  from activities
  where workspace_id = ${id} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz + interval '1 day'
    and subject_type = 'Asset' and verb in ('viewed', 'opened', 'downloaded') ${only}
  group by user_id, subject_id)`

/** For how long each person read each file: `reading (user_id, file_id, ms)`. */
export const readingOf = ({ id }: Workspace, period: Period): Fragment => sql`reading as materialized (
  select user_id, file_id, sum(ms) as ms from reading_times
  where workspace_id = ${id} and day ${during(period)} group by user_id, file_id)`

/** The files of a folder, looked up by their index: without statistics, all files would be read for each folder. */
export const filesIn = (workspaceId: number, folderId: Fragment): Fragment => sql`(
  select f.id, f.folder_id from files f
  where f.workspace_id = ${workspaceId} and f.folder_id = ${folderId} and f.deleted_at is null offset 0)`

export const isoTime = (time: Fragment): Fragment => sql`to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A person's name as the reports show it. */
export const nameOfUser = sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`
