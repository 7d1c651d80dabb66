import { type RawBuilder, sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import { viewedRanges } from '../../access/sql.ts'
import { readableFolders } from '../rights/readable-folders.ts'
import { CHANGED_FILE } from './changes.ts'

/** Files that are news, at most. */
const MOST_FILES = 500
/** Changes that are read in the hope that others than the caller made them, and of files that the caller may view. */
const READ_ACTS = 2000
/** Files that a member may view and that are looked through where the newest changes are of too many others. */
const READ_FILES = 20_000
/** Other people whose changes are looked up one by one where the caller made nearly all of the newest. */
const MOST_PEOPLE = 200

/** Holds for every row: the index of changes by user has this condition. */
const BY_USER = sql`a.user_id >= 0`

const DAY_MS = 86_400_000
/** Days back for a caller who was never here before, and for everybody. */
export const FIRST_DAYS = 30
export const LONGEST_DAYS = 90

export const daysBack = ({ actor }: Workspace, days: number) =>
  new Date(actor.now.getTime() - days * DAY_MS).toISOString()

/** Up to when the caller marked the news of the workspace as read. */
export const readUpTo = ({
  id,
  actor,
}: Workspace) => sql`coalesce((select own.news_read_at from workspace_memberships own
  where own.workspace_id = ${id} and own.user_id = ${actor.id}), '-infinity')`

/**
 * `(id, folder_id, title, file_content_type, version, at, folder_name, id_path, unread)` of the newest files that others
 * have added or changed since a time, and that the caller may view.
 */
export function changedFiles(workspace: Workspace, since: string): RawBuilder<unknown> {
  const { id, actor, admin } = workspace
  return sql`(
    with recursive ${changesOfOthers(workspace, since)}, ${readableFiles(workspace, 'near')}
      ${admin ? sql`` : sql`, ${changesBehind(workspace, since)}, ${readableFiles(workspace, 'behind')}`}
    select file.*, file.at > ${readUpTo(workspace)} and not exists (
      select from file_views v where v.workspace_id = ${id}
        and v.user_id = ${actor.id} and v.file_id = file.id and v.viewed_at >= file.at) as unread
    from (select * from near_file ${admin ? sql`` : sql`union select * from behind_file`}
      order by at desc, id desc limit ${MOST_FILES}) file)`
}

/** Tables for the same `with`, of which the last has the newest files of some changes that the caller may view. */
function readableFiles(workspace: Workspace, changes: 'near' | 'behind'): RawBuilder<unknown> {
  const [change, place, file] = ['change', 'place', 'file'].map((part) => sql.ref(`${changes}_${part}`))
  return sql`${place} as materialized (
      select f.id, f.folder_id, f.title, f.file_content_type, f.version, changed.at
      from (select subject_id, max(created_at) as at from ${change} group by subject_id) changed
      cross join lateral (select * from files f where f.workspace_id = ${workspace.id} and f.id = changed.subject_id offset 0) f
      where f.deleted_at is null and not f.held
    ), ${file} as materialized (
      select f.*, d.name as folder_name, d.id_path
      from ${place} f join ${readableFolders(workspace, place!)} d on d.id = f.folder_id
      order by f.at desc, f.id desc limit ${MOST_FILES}
    )`
}

/**
 * Tables for a `with`, of which `near_change` has the newest changes by others. Where the caller made nearly all of the
 * newest, the index of changes by user leads to the next person, so that a million own changes are not read.
 */
function changesOfOthers({ id, actor, admin }: Workspace, since: string): RawBuilder<unknown> {
  const changes = sql`a.workspace_id = ${id} and ${CHANGED_FILE}`
  const fresh = sql`a.created_at > ${since}::timestamptz`
  const nextAfter = (user: RawBuilder<unknown>) =>
    sql`(select a.user_id from activities a where ${changes} and ${BY_USER} and a.user_id > ${user}
      order by a.user_id limit 1)`
  // A member may view few of the files that they are of.
  const most = admin ? MOST_FILES : READ_ACTS
  return sql`newest as materialized (
      select a.subject_id, a.created_at, a.user_id from activities a where ${changes} and ${fresh}
      order by a.created_at desc, a.id desc limit ${READ_ACTS}
    ), by_others as materialized (
      select subject_id, created_at from newest where user_id <> ${actor.id} order by created_at desc limit ${most}
    ), person (user_id, number) as (
      select ${nextAfter(sql`-1`)}, 1
      where (select count(*) from newest) = ${READ_ACTS} and (select count(*) from by_others) < ${MOST_FILES}
      union all
      select ${nextAfter(sql`p.user_id`)}, p.number + 1 from person p
      where p.user_id is not null and p.number < ${MOST_PEOPLE}
    ), near_change as materialized (
      select * from by_others union all select far.* from person p cross join lateral (
        select a.subject_id, a.created_at from activities a
        where ${changes} and ${fresh} and ${BY_USER} and a.user_id = p.user_id
          and a.created_at <= (select min(created_at) from newest)
        order by a.created_at desc, a.id desc limit ${MOST_FILES}
      ) far where p.user_id <> ${actor.id}
      order by created_at desc limit ${most}
    )`
}

/**
 * Tables for the same `with`, of which `behind_change` has changes of files that the caller may view. It has rows only
 * where too many of the newest changes are of other files, and older ones were not read: what is news to a member must
 * not depend on files of others.
 */
function changesBehind(workspace: Workspace, since: string): RawBuilder<unknown> {
  const { id, actor, group_ids } = workspace
  return sql`is_hidden as materialized (
      select where (select count(*) from newest) = ${READ_ACTS} and (select count(*) from near_file) < ${MOST_FILES}
        and (select count(*) from near_change) >= ${MOST_FILES}
    ), own_file as materialized (
      select f.id, f.updated_at from is_hidden cross join unnest(${group_ids}::int[]) mine (group_id)
      cross join lateral ${viewedRanges(id, sql`mine.group_id`)} range
      cross join lateral (select d.id from folders d where d.workspace_id = ${id} and d.deleted_at is null
        and d.id_path >= range.first and d.id_path < range.beyond offset 0) d
      cross join lateral (select f.id, f.updated_at from files f where f.workspace_id = ${id} and f.folder_id = d.id
        and f.deleted_at is null and not f.held and f.updated_at > ${since}::timestamptz offset 0) f
      limit ${READ_FILES}
    ), behind_change as materialized (
      select f.id as subject_id, last.created_at
      from (select distinct id, updated_at from own_file order by updated_at desc limit ${READ_ACTS}) f
      cross join lateral (select a.created_at from activities a where a.workspace_id = ${id} and a.subject_id = f.id
        and ${CHANGED_FILE} and a.user_id <> ${actor.id} and a.created_at > ${since}::timestamptz
        order by a.created_at desc, a.id desc limit 1) last
    )`
}
