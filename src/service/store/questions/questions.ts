import { type RawBuilder, sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import type { ENTRY_KINDS, QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import type { Api } from '../../../contract/index.ts'
import type { AskingGroup, ManagedQuestion, OwnQuestion } from '../../access/scopes.ts'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import { refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { noteRoutes, routeFor } from './routes.ts'

type Asked = Input<Api['questions']['ask']>['body']['question']
type Changes = Input<Api['questions']['update']>['body']['question']
type Receivers = Input<Api['questions']['answer']>['body']
type EntryKind = (typeof ENTRY_KINDS)[number]
type AnyQuestion = OwnQuestion | ManagedQuestion

export const UNANSWERED: QuestionStatus[] = ['open', 'draft', 'to_approve']

/** What a question was given by its category. */
export interface Routed {
  assignee_id: number | null
  approver_id: number | null
  due_on: string | null
}

/**
 * Adds a question with the next number of its group and of its workspace. The same statement routes it by its category, so
 * that its asker cannot tell by the time whether that has a route. @throws ApiError 409 above the limit
 */
export async function insertQuestion(
  db: Db,
  group: AskingGroup,
  asked: Asked,
): Promise<{ id: string; routed: Routed }> {
  const { workspace } = group
  await requireLeft(db, group)
  const { group_id: _named, ...facts } = asked
  if (facts.category !== undefined) await requireCategory(db, workspace.id, facts.category, 'question.category')
  const { rows } = await sql<{ id: string } & Routed>`
    with room as (
      insert into question_rooms as r (workspace_id, last_number) values (${workspace.id}, 1)
      on conflict (workspace_id) do update set last_number = r.last_number + 1 returning last_number
    ), own as (
      update question_groups set last_number = last_number + 1
      where workspace_id = ${workspace.id} and group_id = ${group.id} returning last_number
    ), added as (
    insert into questions (workspace_id, number, group_id, group_name, group_number, priority, category, subject, text,
      asked_by, file_id, page_number, folder_id, assignee_id, approver_id, due_on)
    select ${workspace.id}, room.last_number, ${group.id}, ${group.name}, own.last_number, ${facts.priority},
      ${facts.category ?? null}, ${facts.subject}, ${facts.text}, ${workspace.actor.id}, ${facts.file_id ?? null}::int,
      ${facts.page_number ?? null}::int, ${facts.folder_id ?? null}::int,
      route.assignee_id, route.approver_id, route.due_on
    from room cross join own left join ${routeFor(workspace, sql`${facts.category ?? null}::text`)} route on true
    returning workspace_id, id, category, assignee_id, approver_id, due_on
    ), noted as (${noteRoutes(workspace)})
    select id, assignee_id, approver_id, due_on::text from added`.execute(db)
  const [question] = rows
  if (!question) throw refusal('may_not_ask')
  const { id, ...routed } = question
  return { id, routed }
}

/** What admins imported for the group is no question of its own. */
async function requireLeft(db: Db, { id, most, days, workspace }: AskingGroup): Promise<void> {
  const { rows } = await sql<{ used: number }>`
    select count(*)::int as used from questions q where q.workspace_id = ${workspace.id} and q.group_id = ${id}
      and not q.imported and (${days}::int is null or q.asked_at > now() - ${days}::int * interval '1 day')`.execute(db)
  if ((rows[0]?.used ?? 0) < most) return
  throw days === null ? refusal('question_limit', { most }) : refusal('question_limit_within', { most, days })
}

export async function requireCategory(db: Db, workspaceId: number, category: string, field: string): Promise<void> {
  const { rows } = await sql`
    select from question_rooms where workspace_id = ${workspaceId} and ${category} = any(categories)`.execute(db)
  if (rows.length === 0) throw unprocessable(field, 'known_category')
}

/** @throws ApiError 409 unless the question is in one of the states */
export function requireStatus({ status }: { status: QuestionStatus }, ...allowed: QuestionStatus[]): void {
  if (!allowed.includes(status)) throw refusal('question_in_other_state')
}

/** Changes the columns of a question and says in its trail who did it. */
export async function changeQuestion(
  db: Db,
  question: AnyQuestion,
  columns: QuestionColumns,
  kind: EntryKind,
  text = '',
): Promise<void> {
  const { id, workspace } = question
  if (Object.keys(columns).length > 0) {
    const own = db.updateTable('questions').where('workspace_id', '=', workspace.id).where('id', '=', id)
    await own.set(columns).execute()
  }
  const entry = { workspace_id: workspace.id, question_id: id, user_id: workspace.actor.id, kind, text }
  await db.insertInto('question_entries').values(entry).execute()
}

/** Times of questions are compared with each other and with those that the database sets: all are of its clock. */
export const DATABASE_NOW = sql<Date>`now()`

export interface QuestionColumns extends Omit<Changes, 'file_ids'> {
  subject?: string | undefined
  text?: string | undefined
  faq?: number | null
  status?: QuestionStatus
  assigned_at?: RawBuilder<Date>
  assigned_by?: number
  approver_at?: RawBuilder<Date>
  approver_by?: number
  drafted_by?: number
  drafted_at?: RawBuilder<Date>
  answer?: string | undefined
  answered_by?: number | null
  answered_at?: RawBuilder<Date> | null
  reach?: Receivers['reach']
}

/** The columns of a draft and of facts. @throws ApiError 422 for people who are no admins, and an unknown category */
export async function columnsOf(db: Db, question: ManagedQuestion, changes: Changes): Promise<QuestionColumns> {
  const { workspace, status } = question
  const { file_ids: files, ...facts } = changes
  for (const field of ['assignee_id', 'approver_id'] as const) {
    const person = facts[field]
    if (typeof person === 'number') await requireAdmin(db, workspace.id, person, `question.${field}`)
  }
  if (typeof facts.category === 'string') await requireCategory(db, workspace.id, facts.category, 'question.category')
  const columns = { ...facts, ...namingOf(question, facts) }
  const drafted = { drafted_by: workspace.actor.id, drafted_at: DATABASE_NOW }
  if (columns.draft === undefined) return { ...columns, ...(files && drafted) }
  return { ...columns, ...drafted, ...(status !== 'to_approve' && { status: columns.draft === '' ? 'open' : 'draft' }) }
}

/** Who names another answerer or approver, and when. */
function namingOf(
  { assignee_id, approver_id, workspace }: ManagedQuestion,
  named: Pick<Changes, 'assignee_id' | 'approver_id'>,
): QuestionColumns {
  const [at, by] = [DATABASE_NOW, workspace.actor.id]
  const isNew = (person: number | null | undefined, former: number | null) => person != null && person !== former
  return {
    ...(isNew(named.assignee_id, assignee_id) && { assigned_at: at, assigned_by: by }),
    ...(isNew(named.approver_id, approver_id) && { approver_at: at, approver_by: by }),
  }
}

async function requireAdmin(db: Db, workspaceId: number, userId: number, field: string): Promise<void> {
  const { rows } = await sql`select where ${isWorkspaceAdmin(workspaceId, userId)}`.execute(db)
  if (rows.length === 0) throw unprocessable(field, 'workspace_admin')
}

/** Replaces the documents of the answer. @throws ApiError 422 for a file that is not in the workspace */
export async function setFiles(db: Db, { id, workspace }: ManagedQuestion, fileIds: readonly number[]): Promise<void> {
  const ids = [...new Set(fileIds)]
  const found = await db
    .selectFrom('files')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('id', 'in', [-1, ...ids])
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .execute()
  if (found.length < ids.length) throw unprocessable('question.file_ids', 'valid_input')
  await db.deleteFrom('question_files').where('workspace_id', '=', workspace.id).where('question_id', '=', id).execute()
  if (ids.length === 0) return
  const rows = ids.map((file_id) => ({ workspace_id: workspace.id, question_id: id, file_id }))
  await db.insertInto('question_files').values(rows).execute()
}

/**
 * Sets who receives the answer. Whoever receives an answered question already goes on to see the same time of it, and
 * others the present time, so that nobody learns of the others.
 * @throws ApiError 422 for a group that is not one of those that admins have added
 */
export async function setReceivers(
  db: Db,
  { id, workspace, status, reach: former }: ManagedQuestion,
  { reach, group_ids }: Receivers,
): Promise<void> {
  const ids = reach === 'groups' ? [...new Set(group_ids)] : []
  if (reach === 'groups' && ids.length === 0) throw unprocessable('group_ids', 'list_not_empty')
  const receivers = sql`question_receivers where workspace_id = ${workspace.id} and question_id = ${id}::uuid`
  // Those of an answer to all keep the times since when they knew it.
  if (reach !== 'all') await sql`delete from ${receivers} and group_id <> all(${ids}::int[])`.execute(db)
  const isTold = status === 'answered'
  if (reach === 'group') return
  if (reach === 'all') {
    const since = isTold && former !== 'all' ? sql`now()` : isTold ? sql`told_all_at` : sql`null`
    await sql`update questions set told_all_at = ${since} where workspace_id = ${workspace.id} and id = ${id}::uuid`.execute(
      db,
    )
    return
  }
  const since = sql`(select case when ${isTold} then case when ${former === 'all'} then q.told_all_at else now() end end
    from questions q where q.workspace_id = ${workspace.id} and q.id = ${id}::uuid)`
  const { rows } = await sql<{ found: number }>`
    with receiver as materialized (
      select g.id from groups g where g.workspace_id = ${workspace.id} and g.kind = 'custom' and g.id = any(${ids}::int[])
      for key share
    ), added as (
      insert into question_receivers (workspace_id, question_id, group_id, told_at)
      select ${workspace.id}::int, ${id}::uuid, receiver.id, ${since} from receiver on conflict do nothing
    )
    select count(*)::int as found from receiver`.execute(db)
  if ((rows[0]?.found ?? 0) < ids.length) throw unprocessable('group_ids', 'custom_group')
}
