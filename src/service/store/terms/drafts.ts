import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

/** Of the workspace itself, or of one of its groups. */
export interface DraftOf {
  workspace: AdministeredWorkspace
  group: AdministeredGroup | undefined
}

type Draft = NonNullable<Reply<Api['terms']['getDraft']>['draft']>
type Written = Omit<Input<Api['terms']['saveDraft']>['body'], 'group_id'>

const columns = sql`nullif(d.group_id, 0) as group_id, d.title, d.text,
  encode(sha256(convert_to(d.text, 'UTF8')), 'hex') as sha256, d.asks_name, d.updated_at, d.updated_by_id`

export async function findDraft(db: Db, { workspace, group }: DraftOf): Promise<Draft | null> {
  const { rows } = await sql<Draft>`
    select ${columns} from terms_drafts d where d.workspace_id = ${workspace.id} and d.group_id = ${group?.id ?? 0}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function putDraft(db: Db, { workspace, group }: DraftOf, written: Written): Promise<Draft> {
  const { id, actor } = workspace
  const { title, text, asks_name } = written
  const { rows } = await sql<Draft>`
    insert into terms_drafts as d (workspace_id, group_id, title, text, asks_name, updated_at, updated_by_id)
    values (${id}, ${group?.id ?? 0}, ${title}, ${text}, ${asks_name}, ${actor.now}, ${actor.id})
    on conflict (workspace_id, group_id) do update set title = excluded.title, text = excluded.text,
      asks_name = excluded.asks_name, updated_at = excluded.updated_at, updated_by_id = excluded.updated_by_id
    returning ${columns}`.execute(db)
  if (!rows[0]) throw new Error('an insert gave no row')
  return rows[0]
}

/** @returns the title of the discarded draft */
export async function deleteDraft(db: Db, { workspace, group }: DraftOf): Promise<string | undefined> {
  const removed = await db
    .deleteFrom('terms_drafts')
    .where('workspace_id', '=', workspace.id)
    .where('group_id', '=', group?.id ?? 0)
    .returning('title')
    .executeTakeFirst()
  return removed?.title
}
