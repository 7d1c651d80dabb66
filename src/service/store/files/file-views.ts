import { sql } from 'kysely'
import type { ReadableFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { record } from '../audit/activities.ts'

/** Records that the caller viewed a file, at most once in ten minutes (decisions, section 6). */
export async function recordView(db: Db, file: ReadableFile, title: string): Promise<void> {
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
  if (seen && !seen.due) return
  await transaction(db, async (tx) => {
    // Only one of several concurrent page requests finds the row still due.
    const { rows } = await sql`
      insert into file_views as v (workspace_id, user_id, file_id, viewed_at)
      values (${workspace.id}, ${user_id}, ${file.id}, ${now})
      on conflict (workspace_id, user_id, file_id) do update set viewed_at = excluded.viewed_at
        where v.viewed_at <= excluded.viewed_at - interval '10 minutes'
      returning 1`.execute(tx)
    if (rows.length === 0) return
    await record(tx, workspace, { act: 'file_viewed', params: { title }, subject_id: file.id })
  })
}
