import { sql } from 'kysely'
import type { ReadableFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { retrying } from '../../db/transaction.ts'
import { type Recording, recordingOf, recordOf } from '../audit/activities.ts'

interface View extends Recording {
  workspace_id: number
  file_id: number
  now: Date
}

/** Of several concurrent page requests, only one finds the row still due. */
const viewing = statement<View, unknown>(
  (view) => sql`
    with subject as (
      insert into file_views as v (workspace_id, user_id, file_id, viewed_at)
      values (${view.workspace_id}, ${view.user_id}, ${view.file_id}, ${view.now})
      on conflict (workspace_id, user_id, file_id) do update set viewed_at = excluded.viewed_at
        where v.viewed_at <= excluded.viewed_at - interval '10 minutes'
      returning workspace_id, file_id as id
    ), ${recordOf(view)}
    select from noted`,
)

/** Records that the caller viewed a file, at most once in ten minutes (decisions, section 6). @returns whether it did */
export async function recordView(db: Db, file: ReadableFile, title: string): Promise<boolean> {
  const { workspace } = file.folder
  const { id: user_id, now } = workspace.actor
  const isDue = sql<boolean>`viewed_at <= ${now}::timestamptz - interval '10 minutes'`
  const seen = await db
    .selectFrom('file_views')
    .select(isDue.as('due'))
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', user_id)
    .where('file_id', '=', file.id)
    .executeTakeFirst()
  if (seen && !seen.due) return false
  const act = recordingOf(workspace, { act: 'file_viewed', params: { title }, subject_id: file.id })
  const noted = await retrying(() => viewing(db, { ...act, workspace_id: workspace.id, file_id: file.id, now }))
  return noted.length > 0
}
