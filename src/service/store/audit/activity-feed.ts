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
  at: string
  place: number
  zip_id: number
  folders: number
  files: number
  times: number
}

/**
 * Reads a page of the feed. Its sources give rows `(act_id, at, place, zip_id, folders, files)`, one for each event, and
 * perhaps one without an act, which says from where to read on.
 */
export async function readFeed(db: Db, workspace: Workspace, query: FeedQuery, about: About): Promise<Feed> {
  const { per_page, zip_id, together } = query
  const offsets = together && zip_id === undefined ? offsetsOf(zoneOf(query.time_zone), workspace.actor.now) : undefined
  const asked = { workspace, query, about, offsets, after: placeOf(query.after), limit: per_page + 1 }
  const { message, subject_id, act, params } = shownTo(workspace)
  const { rows } = await sql<FeedRow>`
    select id, user_id, user_name, workspace_id, verb, ${message} as message, subject_type, ${subject_id} as subject_id,
      created_at, ${act} as act, ${params} as params, event.at, event.place, event.zip_id, event.folders, event.files,
      ${offsets ? timesOnDay(workspace, offsets) : sql`1`} as times
    from (${sourceOf(asked)}) event left join activities on workspace_id = ${workspace.id} and id = event.act_id
    order by ${zip_id === undefined ? sql`event.at desc, event.place desc` : sql`event.place`}`.execute(db)
  const events = rows.filter(({ id }) => id !== null)
  const last = events.length > per_page ? events[per_page - 1] : rows.find(({ id }) => id === null)
  return {
    events: events.slice(0, per_page).map(eventOf),
    next: last ? `${Date.parse(last.at)}_${last.place}` : null,
  }
}

function eventOf(row: FeedRow): Feed['events'][number] {
  const { at: _at, place: _place, zip_id: id, folders, files, ...event } = row
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

/** Of fewer folders and files, the acts are found by each of them; of more, among the acts of the workspace. */
export const FEW = 2000
/** So many acts are looked through for one page, which may therefore be short. */
const LOOKED_THROUGH = 5000

function inFolder(asked: Asked, folder: VisibleFolder): Fragment {
  const { workspace, limit } = asked
  const isThere = sql`d.workspace_id = ${workspace.id} and ${isInSubtree(sql`d.id_path`, folder.id_path)}`
  return sql`
    with size as materialized (
      select count(*) < ${FEW} as is_small from (
        (select 1 from folders d where ${isThere} limit ${FEW}) union all
        (select 1 from folders d join files f on f.workspace_id = d.workspace_id and f.folder_id = d.id
          where ${isThere} and f.deleted_at is null limit ${FEW})
      ) subject
    ), ${ofSubjects(asked, isThere, sql`(select is_small from size)`)},
    ${amongNewest(asked, folder, sql`(select not is_small from size)`)}
    select * from of_subjects union all select * from among_newest union all select * from looked_through
    order by at desc, place desc limit ${limit + 1}`
}

/**
 * Reads the newest acts on each folder and file. Every act on one of them belongs to another event, so the newest events
 * are among these acts, with all acts of theirs that match. Of one user, reads all acts: there are few on each.
 */
function ofSubjects({ workspace, query, about, after, limit, offsets }: Asked, isThere: Fragment, isSmall: Fragment) {
  const { id, admin } = workspace
  const event = offsets ? sql`coalesce(folded_into, id)` : sql`id`
  const conditions = [conditionOf(workspace, inDays(query))]
  if (about.group) conditions.push(isOfMember(about.group))
  if (after) {
    conditions.push(sql`created_at <= ${after.at}::timestamptz`)
    conditions.push(sql`(created_at, ${event}) < (${after.at}::timestamptz, ${after.place}::bigint)`)
  }
  // An index of its own for each: one of all files by their folders does not exist.
  const deleted = sql`union all select 'Asset', f.id from files f
    where f.workspace_id = ${id} and f.deleted_at is not null and f.folder_id in (select id from viewed)`
  return sql`inside as materialized (
      select d.id, d.id_path from folders d where ${isThere} and (${admin} or d.deleted_at is null) and ${isSmall}
    ), viewed as materialized (
      select distinct id from (${viewableAmong(workspace, sql`inside`)}) each
    ), subject as (
      select 'Folder' as type, id from viewed
      union all select 'Asset', f.id from viewed d
        join files f on f.workspace_id = ${id} and f.folder_id = d.id and f.deleted_at is null
      ${admin ? deleted : sql``}
    ), found as (
      select act.* from subject cross join lateral (
        select id, created_at, subject_type, ${event} as event from activities
        where ${sql.join(conditions, sql` and `)} and subject_type = subject.type and subject_id = subject.id
        ${query.user_id === undefined ? sql`order by created_at desc, id desc limit ${limit}` : sql``}
      ) act
    ), of_subjects as (
      select min(id) as act_id, created_at as at, event::bigint as place, event as zip_id, ${countedByType}
      from found group by created_at, event order by created_at desc, event desc limit ${limit}
    )`
}

const countedByType = sql`count(*) filter (where subject_type = 'Folder')::int as folders,
  count(*) filter (where subject_type = 'Asset')::int as files`

/** Goes back through the acts of the workspace, and counts of each zip what is in the folder. */
function amongNewest(
  { workspace, query, about, after, limit, offsets }: Asked,
  folder: VisibleFolder,
  isLarge: Fragment,
) {
  const matching = inDays(query)
  const { user_id, from, to, since, before } = matching
  const isPassed = [conditionOf(workspace, { user_id, from, to, since, before }), isLarge]
  if (offsets) isPassed.push(sql`folded_into is null`)
  if (after) isPassed.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.place}::bigint)`)
  const passed = sql`
    select id, created_at,
      ${offsets ? sql`coalesce(zip_folders, zip_files) is not null` : sql`false`} as is_zip
    from activities where ${sql.join(isPassed, sql` and `)} order by created_at desc, id desc`
  const isFound = [conditionOf(workspace, matching), isIn(folder)]
  if (about.group) isFound.push(isOfMember(about.group))
  const acts = sql`select * from activities where workspace_id = ${workspace.id}`
  return sql`among_newest as materialized (
      select inside.act_id, passed.created_at as at, passed.id::bigint as place, passed.id as zip_id, inside.folders, inside.files
      from (${passed} limit ${LOOKED_THROUGH}) passed cross join lateral (
        select min(id) as act_id, ${countedByType} from (
          ${acts} and id = passed.id union all ${acts} and folded_into = passed.id and passed.is_zip
        ) activities where ${sql.join(isFound, sql` and `)} having count(*) > 0
      ) inside order by passed.created_at desc, passed.id desc limit ${limit}
    ), looked_through as (
      select null::int as act_id, created_at as at, id::bigint as place, 0 as zip_id, 0 as folders, 0 as files
      from (${passed} offset ${LOOKED_THROUGH - 1} limit 1) last
      where (select count(*) from among_newest) < ${limit}
    )`
}

/**
 * Whether an act is on a folder or file in the folder that the caller may view. Conditions on the path stand in the list:
 * in a `where`, PostgreSQL would look for the one row among all below the folder.
 */
function isIn({ workspace, id_path }: VisibleFolder): Fragment {
  const { id, admin } = workspace
  const isThere = sql`${isInSubtree(sql`d.id_path`, id_path)} and ${viewable(workspace, sql`d.id_path`)}
    and (${admin} or d.deleted_at is null)`
  return sql`coalesce(case subject_type
    when 'Folder' then (select ${isThere} from folders d where d.workspace_id = ${id} and d.id = activities.subject_id)
    when 'Asset' then (
      select ${isThere} and (${admin} or f.deleted_at is null)
      from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
      where f.workspace_id = ${id} and f.id = activities.subject_id)
    end, false)`
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
