import { sql } from 'kysely'
import type { QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { todayOf } from '../../auth/actor.ts'
import { passesTo } from '../experts.ts'
import type {
  AdministeredWorkspace,
  AskingGroup,
  ManagedQuestion,
  OwnQuestion,
  PassedQuestion,
  Workspace,
} from '../scopes.ts'
import { visibleQuestions } from '../visible-questions.ts'

interface Row {
  own: boolean
  status: QuestionStatus
  subject: string
}

/** Enters a question of an own group to change it. @throws ApiError 404 */
export async function enterOwnQuestion(db: Db, workspace: Workspace, id: string): Promise<OwnQuestion> {
  const visible = await sql<Row>`
    select q.own, q.status, q.subject from ${visibleQuestions(workspace, { id })} q`.execute(db)
  if (!visible.rows[0]?.own) throw notFound()
  const [question] = await lock(db, workspace, id)
  if (!question) throw notFound()
  const { status, subject } = question
  return { status, subject, id, workspace } as OwnQuestion
}

/** Enters any question as an admin, and locks it until the end of the transaction. @throws ApiError 404 */
export async function manageQuestion(db: Db, workspace: AdministeredWorkspace, id: string): Promise<ManagedQuestion> {
  const [question] = await lock(db, workspace, id)
  if (!question) throw notFound()
  return { ...question, id, workspace } as ManagedQuestion
}

const lock = async (db: Db, { id: workspaceId }: Workspace, id: string) =>
  db
    .selectFrom('questions')
    .select(['status', 'subject', 'text', 'category', 'assignee_id', 'approver_id', 'draft', 'drafted_at'])
    .select(['answer', 'answered_at', 'reach', 'group_number', 'faq'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .execute()

/**
 * Enters a question that was passed to the caller to reply, and locks it, like those who withdraw it, until the end of the
 * transaction. @throws ApiError 404
 */
export async function enterPassedQuestion(db: Db, workspace: Workspace, id: string): Promise<PassedQuestion> {
  const { actor } = workspace
  const passed = async () => {
    const { rows } = await sql<Pick<PassedQuestion, 'asked_at' | 'replies'>>`
      select p.asked_at, p.replies from ${passesTo(workspace, actor.id, todayOf(actor))} p
      where p.question_id = ${id}::uuid`.execute(db)
    return rows[0]
  }
  if (!(await passed())) throw notFound()
  const [question] = await lock(db, workspace, id)
  const pass = await passed()
  // Withdrawn while this waited for the lock.
  if (!question || !pass) throw notFound()
  const { status, subject } = question
  return { status, subject, id, workspace, ...pass } as PassedQuestion
}

interface GroupRow {
  id: number
  name: string
  most: number
  days: number | null
}

/**
 * Enters the group for which the caller asks, and locks its numbers until the end of the transaction.
 * @throws ApiError 403 if no group of the caller may ask, 422 if several may and none is named
 */
export async function enterAskingGroup(db: Db, workspace: Workspace, groupId?: number): Promise<AskingGroup> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.name, a.most, a.days from question_groups a
    join groups g on g.workspace_id = a.workspace_id and g.id = a.group_id and g.kind = 'custom'
    where a.workspace_id = ${workspace.id} and a.may_ask and a.group_id = any(${workspace.group_ids}::int[])
    order by g.id for no key update of a`.execute(db)
  if (rows.length === 0) throw refusal('may_not_ask')
  const group = groupId === undefined && rows.length === 1 ? rows[0] : rows.find(({ id }) => id === groupId)
  if (!group) throw unprocessable('question.group_id', 'asking_group')
  return { ...group, workspace } as AskingGroup
}
