import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { manageQuestion } from '../../access/enter/question.ts'
import type { AdministeredWorkspace, ManagedQuestion } from '../../access/scopes.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { DATABASE_NOW, type QuestionColumns, requireCategory } from './questions.ts'

type Written = Input<Api['questions']['writeFaq']>['body']
type Edit = Input<Api['questions']['editFaq']>['body']['question']

/**
 * Adds an answered question of no group as the last of the FAQ, which has fewer places than the workspace has numbers.
 * Chosen groups read it once they are its receivers.
 */
export async function insertEntry(
  db: Db,
  workspace: AdministeredWorkspace,
  written: Written,
): Promise<ManagedQuestion> {
  const { question, reach } = written
  const { subject, text, answer, category } = question
  const { id: workspaceId, actor } = workspace
  if (category !== undefined) await requireCategory(db, workspaceId, category, 'question.category')
  const { rows } = await sql<{ id: string }>`
    with room as (
      insert into question_rooms as r (workspace_id, last_number) values (${workspaceId}, 1)
      on conflict (workspace_id) do update set last_number = r.last_number + 1 returning last_number
    )
    insert into questions (workspace_id, number, group_name, group_number, status, category, subject, text, asked_by,
      draft, drafted_by, drafted_at, answer, answered_by, answered_at, reach, faq)
    select ${workspaceId}, room.last_number, '', 0, 'answered', ${category ?? null}, ${subject}, ${text}, ${actor.id},
      ${answer}, ${actor.id}, now(), ${answer}, ${actor.id}, now(), ${reach}, room.last_number
    from room returning id`.execute(db)
  return manageQuestion(db, workspace, rows[0]?.id ?? '')
}

/** Until the end of the transaction nobody else places one of the FAQ. */
export async function lockFaq(db: Db, { id }: AdministeredWorkspace): Promise<void> {
  await sql`select from question_rooms where workspace_id = ${id} for update`.execute(db)
}

/** Puts the question behind another of the FAQ, and numbers all of them anew. @throws ApiError 422 for one that is none */
export async function placeFaq(
  db: Db,
  { id, faq, workspace }: ManagedQuestion,
  after: string | null | undefined,
): Promise<void> {
  if (after === undefined && faq !== null) return
  const { rows } = await sql<{ id: string }>`
    select q.id from questions q where q.workspace_id = ${workspace.id} and q.faq is not null and q.id <> ${id}::uuid
    order by q.faq, q.id`.execute(db)
  const ids = rows.map((row) => row.id)
  const before = after === undefined ? ids.length - 1 : ids.indexOf(after ?? '')
  if (after && before < 0) throw unprocessable('after', 'valid_input')
  ids.splice(before + 1, 0, id)
  await sql`
    update questions q set faq = placed.at from unnest(${ids}::uuid[]) with ordinality as placed (id, at)
    where q.workspace_id = ${workspace.id} and q.id = placed.id and q.faq is distinct from placed.at
      and (q.faq is not null or q.id = ${id}::uuid)`.execute(db)
}

interface Edited {
  columns: QuestionColumns
  /** What it said before, for the trail. */
  before: string
}

/**
 * The columns of an edit. Only other words are news: who else receives an answer must not show in its time.
 * @throws ApiError 422 for other words of what a group has asked, and for an unknown category
 */
export async function editOf(db: Db, question: ManagedQuestion, edit: Edit): Promise<Edited> {
  const { file_ids: _files, category, ...texts } = edit
  const { workspace, group_number } = question
  const changed = (['subject', 'text', 'answer'] as const).filter(
    (name) => texts[name] !== undefined && texts[name] !== question[name],
  )
  const asked = changed.find((name) => name !== 'answer')
  if (asked && group_number > 0) throw unprocessable(`question.${asked}`, 'asked_by_group')
  if (typeof category === 'string' && category !== question.category)
    await requireCategory(db, workspace.id, category, 'question.category')
  const before = changed.map((name) => question[name]).join('\n\n')
  const facts = category === undefined ? {} : { category }
  if (changed.length === 0) return { columns: facts, before }
  const { answer } = texts
  const said = { answered_by: workspace.actor.id, answered_at: DATABASE_NOW }
  return { columns: { ...facts, ...texts, ...said, ...(answer !== undefined && { draft: answer }) }, before }
}
