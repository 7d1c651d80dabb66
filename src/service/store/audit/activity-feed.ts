import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { viewable, viewableAmong } from '../../access/grants.ts'
import type { Group, VisibleFolder, Workspace } from '../../access/scopes.ts'
import { type Fragment, isInSubtree } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type ActivityFilters, type ActivityRow, conditionOf, inDays, shownTo, toldIn } from './activity-page.ts'
import { type Offsets, offsetsOf, zoneOf } from './local-days.ts'

export type Feed = Reply<Api['activities']['feed']>

export interface FeedQuery extends ActivityFilters {
  zip_id?: number | undefined
  /** Zips and views of the workspace on one day are one event each. */
  together: boolean
  after?: string | undefined
  per_page: number
}

/** Acts on a folder and everything below it; acts on a group, and those of its members. */
export interface About {
  folder?: VisibleFolder | undefined
  group?: Group | undefined
}

/** What the parts of the statement need. The conditions are about the row `activities`. */
interface Asked {
  workspace: Workspace
  query: FeedQuery
  about: About
  /** The days on which views of the workspace count as one; undefined where every act is an event. */
  offsets: Offsets | undefined
  after: { at: string; place: number } | undefined
  limit: number
}

interface FeedRow extends ActivityRow {
  place: number
  zip_id: number
  folders: number
  files: number
  times: number
}

/** Reads a page of the feed. Its sources give rows `(act_id, at, place, zip_id, folders, files)`, one for each event. */
export async function readFeed(db: Db, workspace: Workspace, query: FeedQuery, about: About): Promise<Feed> {
  const { per_page, zip_id, together } = query
  const offsets = together && zip_id === undefined ? offsetsOf(zoneOf(query.time_zone), workspace.actor.now) : undefined
  const asked = { workspace, query, about, offsets, after: placeOf(query.after), limit: per_page + 1 }
  const { message, subject_id, act, params } = shownTo(workspace)
  const { rows } = await sql<FeedRow>`
    select id, user_id, user_name, workspace_id, verb, ${message} as message, subject_type, ${subject_id} as subject_id,
      created_at, ${act} as act, ${params} as params, event.place, event.zip_id, event.folders, event.files,
      ${offsets ? timesOnDay(workspace, offsets) : sql`1`} as times
    from (${sourceOf(asked)}) event join activities on workspace_id = ${workspace.id} and id = event.act_id
    order by ${zip_id === undefined ? sql`event.at desc, event.place desc` : sql`event.place`}`.execute(db)
  const last = rows.length > per_page ? rows[per_page - 1] : undefined
  return {
    events: rows.slice(0, per_page).map(eventOf),
    next: last ? `${Date.parse(last.created_at)}_${last.place}` : null,
  }
}

function eventOf(row: FeedRow): Feed['events'][number] {
  const { place: _, zip_id: id, folders, files, ...event } = row
  return { ...event, ...toldIn(row), zip: folders + files > 1 ? { id, folders, files } : null }
}

function placeOf(after: string | undefined): Asked['after'] {
  const [ms, place] = after?.split('_') ?? []
  return ms === undefined ? undefined : { at: new Date(Number(ms)).toISOString(), place: Number(place) }
}

function sourceOf(asked: Asked): Fragment {
  const { query, about } = asked
  if (query.zip_id !== undefined) return inZip(asked, query.zip_id)
  if (about.folder && about.folder.id !== 0) return inFolder(asked, about.folder)
  const kinds = about.folder ? [sql`subject_type in ('Asset', 'Folder')`] : []
  return about.group ? ofGroup(asked, about.group, kinds) : newest(asked, kinds)
}

/** The newest acts. A zip is found by its first act, and views of a day by the last. */
function newest(asked: Asked, more: readonly Fragment[] = []): Fragment {
  const { workspace, query, after, limit, offsets } = asked
  const conditions = [conditionOf(workspace, inDays(query)), ...more]
  if (offsets && query.subject_id === undefined) conditions.push(isHead(query), isLastOfDay(workspace, offsets))
  if (after) conditions.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.place}::bigint)`)
  const isAny = !query.subject_type
  const folders = isAny || query.subject_type === 'Folder' ? sql`coalesce(zip_folders, 0)` : sql`0`
  const files = isAny || query.subject_type === 'Asset' ? sql`coalesce(zip_files, 0)` : sql`0`
  const isCounted = offsets !== undefined && query.subject_id === undefined
  return sql`
    select id as act_id, created_at as at, id as place, coalesce(folded_into, id) as zip_id,
      ${isCounted ? folders : sql`0`} as folders, ${isCounted ? files : sql`0`} as files
    from activities where ${sql.join(conditions, sql` and `)}
    order by created_at desc, id desc limit ${limit}`
}

/** Where only acts on files match, the first of these stands for a zip. The condition is that of the index. */
const isHead = ({ subject_type }: FeedQuery): Fragment =>
  subject_type ? sql`(folded_into is null or zip_files is not null)` : sql`folded_into is null`

function inZip({ workspace, query, about: { folder, group }, after, limit }: Asked, zipId: number): Fragment {
  const conditions = [conditionOf(workspace, inDays(query))]
  if (folder && folder.id !== 0) conditions.push(isIn(folder))
  if (group) conditions.push(isAboutGroup(group))
  if (after) conditions.push(sql`id > ${after.place}::bigint`)
  const of = sql`select * from activities where workspace_id = ${workspace.id}`
  return sql`
    select id as act_id, created_at as at, id as place, 0 as zip_id, 0 as folders, 0 as files
    from (${of} and id = ${zipId} union all ${of} and folded_into = ${zipId}) activities
    where ${sql.join(conditions, sql` and `)} order by id limit ${limit}`
}

/**
 * Reads the newest acts on each folder and file. Every act on one of them belongs to another event, so the newest events
 * are among these acts, with all acts of theirs that match. Of one user, reads all acts: there are few on each.
 */
function inFolder({ workspace, query, about, after, limit, offsets }: Asked, folder: VisibleFolder): Fragment {
  const { id, admin } = workspace
  const event = offsets ? sql`coalesce(folded_into, id)` : sql`id`
  const conditions = [conditionOf(workspace, inDays(query))]
  if (about.group) conditions.push(isOfMember(about.group))
  if (after) {
    conditions.push(sql`created_at <= ${after.at}::timestamptz`)
    conditions.push(sql`(created_at, ${event}) < (${after.at}::timestamptz, ${after.place}::bigint)`)
  }
  const there = (row: Fragment) => (admin ? sql`` : sql`and ${row}.deleted_at is null`)
  return sql`
    with inside as materialized (
      select d.id, d.id_path from folders d
      where d.workspace_id = ${id} and ${isInSubtree(sql`d.id_path`, folder.id_path)} ${there(sql`d`)}
    ), viewed as materialized (
      select distinct id from (${viewableAmong(workspace, sql`inside`)}) each
    ), subject as (
      select 'Folder' as type, id from viewed
      union all select 'Asset', f.id from viewed d join files f on f.workspace_id = ${id} and f.folder_id = d.id ${there(sql`f`)}
    ), found as (
      select act.* from subject cross join lateral (
        select id, created_at, subject_type, ${event} as event from activities
        where ${sql.join(conditions, sql` and `)} and subject_type = subject.type and subject_id = subject.id
        ${query.user_id === undefined ? sql`order by created_at desc, id desc limit ${limit}` : sql``}
      ) act
    )
    select min(id) as act_id, created_at as at, event as place, event as zip_id,
      count(*) filter (where subject_type = 'Folder')::int as folders,
      count(*) filter (where subject_type = 'Asset')::int as files
    from found group by created_at, event order by created_at desc, event desc limit ${limit}`
}

/** Whether an act is on a folder or file in the folder that the caller may view. */
function isIn({ workspace, id_path }: VisibleFolder): Fragment {
  const isThere = sql`d.workspace_id = ${workspace.id} and ${isInSubtree(sql`d.id_path`, id_path)}
    and ${viewable(workspace, sql`d.id_path`)} and (${workspace.admin} or d.deleted_at is null)`
  return sql`case subject_type
    when 'Folder' then exists (select from folders d where d.id = activities.subject_id and ${isThere})
    when 'Asset' then exists (
      select from files f join folders d on d.id = f.folder_id and ${isThere}
      where f.workspace_id = ${workspace.id} and f.id = activities.subject_id
        and (${workspace.admin} or f.deleted_at is null))
    else false end`
}

function ofGroup(asked: Asked, group: Group, more: readonly Fragment[]): Fragment {
  const { workspace, limit } = asked
  const isOfOthers = sql`not ${isOfMember(group)}`
  return sql`
    select act.* from (
      (select act.* from group_memberships member cross join lateral (
        ${newest(asked, [...more, sql`user_id = member.user_id`])}
      ) act where member.workspace_id = ${workspace.id} and member.group_id = ${group.id})
      union all (${newest(asked, [...more, isOnGroup(group), isOfOthers])})
    ) act order by at desc, place desc limit ${limit}`
}

const isOnGroup = ({ id }: Group): Fragment => sql`(subject_type = 'Group' and subject_id = ${id})`

const isOfMember = ({ id, workspace }: Group): Fragment => sql`exists (
  select from group_memberships m
  where m.workspace_id = ${workspace.id} and m.group_id = ${id} and m.user_id = activities.user_id)`

export const isAboutGroup = (group: Group): Fragment => sql`(${isOnGroup(group)} or ${isOfMember(group)})`

/** Longer than any day. */
const A_DAY = sql`interval '26 hours'`

const dayIn = ({ since, seconds }: Offsets, at: Fragment): Fragment => sql`((${at} at time zone 'UTC')
  + make_interval(secs => (${seconds}::int[])[width_bucket(${at}, ${since}::timestamptz[])]))::date`

/** Views of the workspace by the same person on the same day. */
const viewsThatDay = ({ id }: Workspace, offsets: Offsets): Fragment => sql`
  from activities n where n.workspace_id = ${id} and n.user_id = activities.user_id
    and n.verb = 'viewed' and n.subject_type = 'Workspace'
    and ${dayIn(offsets, sql`n.created_at`)} = ${dayIn(offsets, sql`activities.created_at`)}`

const isLastOfDay = (workspace: Workspace, offsets: Offsets): Fragment => sql`
  (subject_type is distinct from 'Workspace' or verb <> 'viewed' or not exists (
    select ${viewsThatDay(workspace, offsets)}
      and n.created_at > activities.created_at and n.created_at < activities.created_at + ${A_DAY}))`

const timesOnDay = (workspace: Workspace, offsets: Offsets): Fragment => sql`
  case when subject_type = 'Workspace' and verb = 'viewed' then (
    select count(*)::int ${viewsThatDay(workspace, offsets)}
      and n.created_at <= activities.created_at and n.created_at > activities.created_at - ${A_DAY}) else 1 end`
