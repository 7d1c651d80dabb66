import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { hasScope } from '../../access/enter/organization.ts'
import type { Workspace } from '../../access/scopes.ts'
import { isAwaited } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { kindOf } from '../files/file-types.ts'
import { fileOutline, outlinesAmong } from '../folders/outlines.ts'
import { changedFiles, daysBack, FIRST_DAYS, LONGEST_DAYS } from './changed-files.ts'
import { changedAccess, newQuestions } from './other-news.ts'
import {
  awaitedGroups,
  awaitedQuestions,
  failedDrafts,
  failedFiles,
  firstOf,
  membersWhere,
  nameOfMember,
  unplannedDrafts,
} from './to-do.ts'

type NewFiles = Pick<Reply<Api['workspaces']['getWelcome']>, 'new_since' | 'new_files' | 'new_files_count'>
type WorkspaceNews = Reply<Api['users']['news']>['workspaces'][number]

/** As the contract says. */
export const NEWS_WORKSPACES = 12
const SHOWN = 12
const NAMED = 2

/** Lists the newest of the files that others have added or changed since the caller's previous visit. */
export async function listNewFiles(db: Db, workspace: Workspace, since: string | null): Promise<NewFiles> {
  const earliest = daysBack(workspace, since === null ? FIRST_DAYS : LONGEST_DAYS)
  const new_since = since !== null && since > earliest ? since : earliest
  const { rows } = await sql<NewFiles['new_files'][number] & { total: number }>`
    with newest as materialized (
      select file.*, count(*) over ()::int as total
      from ${changedFiles(workspace, new_since)} file order by file.at desc, file.id desc limit ${SHOWN}
    )
    select file.id as file_id, file.folder_id, file.folder_name, file.title, file.version,
      ${kindOf(sql`file.file_content_type`)} as kind, ${fileOutline} as outline, f.number_length, file.at as changed_at, file.total, file.unread
    from newest file cross join lateral (
      select f.index, f.number_length from files f where f.workspace_id = ${workspace.id} and f.id = file.id offset 0
    ) f join ${outlinesAmong(workspace, { ids: sql`array(select folder_id from newest)` })} n on n.id = file.folder_id
    order by file.at desc, file.id desc`.execute(db)
  const new_files = rows.map(({ total: _total, ...file }) => file)
  return { new_since, new_files, new_files_count: rows[0]?.total ?? 0 }
}

/**
 * Counts the news of workspaces, in their order, in one round trip. Each workspace has the same statement, which is planned
 * once for a connection: one statement for all of them would be planned for their number, in 20 ms for each.
 */
export async function listNews(db: Db, workspaces: readonly Workspace[]): Promise<WorkspaceNews[]> {
  if (workspaces.length === 0) return []
  return together(db, async (one) => {
    const results = await Promise.all(workspaces.map((workspace) => newsOf(workspace).execute(one)))
    return results.flatMap(({ rows }) => rows)
  })
}

function newsOf(workspace: Workspace): RawBuilder<WorkspaceNews> {
  const { id, admin, actor } = workspace
  const longest = daysBack(workspace, LONGEST_DAYS)
  return sql<WorkspaceNews>`
    select m.workspace_id, since.new_since, file.new_files, file.unread_files,
      question.unread_questions, question.unread_passed,
      (select count(*)::int from ${changedAccess(workspace, longest)} a where a.unread) as unread_access,
      ${admin ? toDoIn(workspace) : sql`null::json`} as to_do
    from workspace_memberships m cross join lateral (
      select greatest(coalesce(m.last_active_at, ${daysBack(workspace, FIRST_DAYS)}::timestamptz(3)),
        ${longest}::timestamptz(3)) as new_since
    ) since cross join lateral (
      select count(*) filter (where f.unread)::int as unread_files,
        count(*) filter (where f.at > since.new_since)::int as new_files
      from ${changedFiles(workspace, longest)} f
    ) file cross join lateral (
      select count(distinct q.id)::int as unread_questions,
        count(distinct q.id) filter (where q.expert = 'asked')::int as unread_passed
      from ${newQuestions(workspace, longest)} q where q.unread
    ) question
    where m.workspace_id = ${id} and m.user_id = ${actor.id}`
}

function toDoIn(workspace: Workspace): RawBuilder<unknown> {
  const { id, actor } = workspace
  const members = (condition: RawBuilder<unknown>) => firstOf(membersWhere(id, condition), nameOfMember, NAMED)
  // A personal key that reads news of files needs further scopes for the others.
  const mayRead = hasScope(actor, 'questions:read')
  const questions = awaitedQuestions(id, actor.id, { today: todayOf(actor), mayRead, most: NAMED })
  return sql`(select json_build_object(
    'failed_files', ${firstOf(failedFiles(id), sql`newest.title`, NAMED)},
    'awaited_members', ${members(isAwaited('m'))},
    'changed_names', ${members(sql`m.marked_first_name is not null and m.user_id <> ${actor.id}`)},
    'overdue_questions', question.overdue, 'to_approve', question.to_approve, 'to_answer', question.to_answer,
    'failed_drafts', ${firstOf(failedDrafts(id), sql`newest.name`, NAMED)},
    'unplanned_drafts', ${firstOf(unplannedDrafts(id), sql`newest.name`, NAMED)},
    'awaited_groups', ${firstOf(awaitedGroups(id, hasScope(actor, 'groups:read')), sql`newest.name`, NAMED)})
    from ${questions} question)`
}
