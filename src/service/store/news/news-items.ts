import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { kindOf } from '../files/file-types.ts'
import { changedFiles, daysBack, LONGEST_DAYS } from './changed-files.ts'
import { MOST_NEWS } from '../../../contract/endpoints/deal/news.ts'
import { changedAccess, newQuestions } from './other-news.ts'

type NewsItem = Reply<Api['news']['list']>['items'][number]

/** Lists the newest news of workspaces in one statement, by the rights of this moment. */
export async function listNewsItems(db: Db, workspaces: readonly Workspace[]): Promise<NewsItem[]> {
  if (workspaces.length === 0) return []
  const items = sql.join(
    workspaces.map((workspace) => itemsOf(workspace)),
    sql` union all `,
  )
  const { rows } = await sql<NewsItem>`
    select workspace_id, at, unread, file, question, access from (${items}) item
    order by at desc, workspace_id, access, question ->> 'id', (file ->> 'file_id')::int desc limit ${MOST_NEWS}`.execute(
    db,
  )
  return rows
}

function itemsOf(workspace: Workspace): RawBuilder<unknown> {
  const since = daysBack(workspace, LONGEST_DAYS)
  const id = sql`${workspace.id}::int as workspace_id`
  return sql`(
    select ${id}, file.at, file.unread, json_build_object('file_id', file.id, 'folder_id', file.folder_id,
      'folder_name', file.folder_name, 'title', file.title, 'kind', ${kindOf(sql`file.file_content_type`)},
      'version', file.version) as file, null::json as question, null::text as access
    from ${changedFiles(workspace, since)} file order by file.at desc, file.id desc limit ${MOST_NEWS}
  ) union all (
    select ${id}, q.at, q.unread, null, json_build_object('id', q.id, 'subject', q.subject, 'status', q.status, 'expert', q.expert), null
    from ${newQuestions(workspace, since)} q order by q.at desc, q.id limit ${MOST_NEWS}
  ) union all (
    select ${id}, a.at, a.unread, null, null, a.change from ${changedAccess(workspace, since)} a)`
}
