import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { changedFiles, daysBack, LONGEST_DAYS } from './changed-files.ts'

type Unread = Reply<Api['news']['listUnread']>

/** The files that the news of a workspace count as unread, and all folders above them. */
export async function listUnread(db: Db, workspace: Workspace): Promise<Unread> {
  const { rows } = await sql<Unread>`
    with file as materialized (
      select f.id, f.id_path from ${changedFiles(workspace, daysBack(workspace, LONGEST_DAYS))} f where f.unread
    )
    select array(select id from file order by id) as file_ids,
      array(select distinct above.id from file cross join unnest(file.id_path) above (id) order by 1) as folder_ids`.execute(
    db,
  )
  return rows[0] ?? { file_ids: [], folder_ids: [] }
}

/**
 * Marks the news of workspaces up to a time as read. It never goes back, and not beyond the present. A time of any year and
 * zone is read here: PostgreSQL knows neither the year 0 nor a zone of 16 hours.
 */
export async function markRead(db: Db, workspaces: readonly Workspace[], until: string): Promise<void> {
  const [first] = workspaces
  if (!first) return
  const { id: userId, now } = first.actor
  const read = new Date(Math.min(Math.max(Date.parse(until), 0), now.getTime()))
  await sql`
    update workspace_memberships m
    set news_read_at = greatest(m.news_read_at, ${read}::timestamptz)
    where m.workspace_id = any(${workspaces.map(({ id }) => id)}::int[]) and m.user_id = ${userId}`.execute(db)
}

/** Notes that the caller has opened a question, which is then no longer unread. Writes once, and again after the answer or a pass. */
export async function noteQuestionView(db: Db, { id, actor }: Workspace, questionId: string): Promise<void> {
  await sql`
    insert into question_views as v (workspace_id, user_id, question_id, viewed_at)
    values (${id}, ${actor.id}, ${questionId}::uuid, now())
    on conflict (workspace_id, user_id, question_id) do update set viewed_at = excluded.viewed_at
      where v.viewed_at < (
        select coalesce(greatest(q.answered_at, q.told_all_at, (select max(r.told_at) from question_receivers r
          where r.workspace_id = q.workspace_id and r.question_id = q.id), (select max(greatest(p.asked_at, p.replied_at))
          from question_passes p where p.workspace_id = q.workspace_id and p.question_id = q.id)), q.asked_at)
        from questions q where q.workspace_id = v.workspace_id and q.id = v.question_id)`.execute(db)
}
