import type { Input } from '../../../contract/endpoint.ts'
import type { FeedAct } from '../../../contract/acts.ts'
import { importedQuestion, MOST_IMPORTED, type QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import type { Api } from '../../../contract/index.ts'
import { enterFile } from '../../access/enter/file.ts'
import { enterFolder } from '../../access/enter/folder.ts'
import { enterGroup, enterGroups } from '../../access/enter/group.ts'
import { enterAskingGroup, enterOwnQuestion, manageQuestion } from '../../access/enter/question.ts'
import { readerIn, viewAs } from '../../access/enter/view-as.ts'
import { administerWorkspace, asAdmin, enterWorkspace } from '../../access/enter/workspace.ts'
import type { ManagedQuestion, OwnQuestion, Workspace } from '../../access/scopes.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context, Handlers } from '../../http/context.ts'
import { receiveLines } from '../../http/input/receive-lines.ts'
import { mailExperts } from '../../mail/expert-mail.ts'
import { record } from '../../store/audit/activities.ts'
import { type Changes, changesBetween, created, recordForAudit } from '../../store/audit/audit.ts'
import { importQuestions } from '../../store/questions/import-questions.ts'
import { type NamedImport, namedImport, rememberImport } from '../../store/questions/named-imports.ts'
import { editOf, insertEntry, lockFaq, placeFaq } from '../../store/questions/faq.ts'
import { countQuestions, listQuestions, listTexts } from '../../store/questions/list-questions.ts'
import { listAwaited } from '../../store/questions/passes.ts'
import {
  getQuestionSettings,
  type QuestionSettings,
  setQuestionSettings,
} from '../../store/questions/question-settings.ts'
import { getThread, openThread } from '../../store/questions/question-thread.ts'
import {
  changeQuestion,
  columnsOf,
  DATABASE_NOW,
  insertQuestion,
  type Routed,
  requireStatus,
  setFiles,
  setReceivers,
  UNANSWERED,
} from '../../store/questions/questions.ts'

export const questions: Handlers<Api['questions']> = {
  list: async (context, call) => listQuestions(context.db, await enterFiltered(context, call), call.query),

  count: async (context, call) => ({
    counts: await countQuestions(context.db, await enterFiltered(context, call), call.query),
  }),

  listTexts: async (context, call) => {
    const { counts: _counts, ...page } = await listTexts(context.db, await enterFiltered(context, call), call.query)
    return page
  },

  viewAs: async ({ db, actor }, { params, query: { group_id, user_id, ...filters } }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    return viewAs(db, workspace, readerIn({ group_id, user_id }), (tx, seen) => listTexts(tx, seen, filters))
  },

  viewThreadAs: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    return viewAs(db, workspace, readerIn(query), (tx, seen) => getThread(tx, seen, params.question_id))
  },

  import: async ({ db, actor }, { params, body }) =>
    addAll({ db, actor }, params.workspace_id, body.questions, await namedImport(body)),

  importLines: async ({ db, actor, services, body }, { params, query }) => {
    await administerWorkspace(db, actor, params.workspace_id)
    const { organization_id: organization } = actor
    const wanted = { list: 'questions', element: importedQuestion, most: MOST_IMPORTED, organization }
    const questions = await receiveLines(body.stream, wanted)
    const present = { ...actor, now: services.clock() }
    const named = await namedImport({ ...query, questions })
    return transaction(db, (tx) => addAll({ db: tx, actor: present }, params.workspace_id, questions, named))
  },

  get: async ({ db, actor }, { params }) =>
    openThread(db, await enterWorkspace(db, actor, params.workspace_id), params.question_id),

  ask: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    const { subject, file_id, folder_id, priority, category } = body.question
    await requirePlace(db, workspace, body.question)
    const { group_id } = body.question
    if (group_id !== undefined) await enterGroup(db, workspace, group_id)
    const group = await enterAskingGroup(db, workspace, group_id)
    const { id, routed } = await insertQuestion(db, group, body.question)
    const changes = created({ group_id: group.id, file_id, folder_id, priority, category, ...givenOf(routed) })
    await record(db, workspace, { act: 'question_asked', params: { subject }, subject_id: null, changes })
    return getThread(db, workspace, id)
  },

  withdraw: async ({ db, actor }, { params }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    const question = await enterOwnQuestion(db, workspace, params.question_id)
    requireStatus(question, ...UNANSWERED)
    await changeQuestion(db, question, { status: 'withdrawn' }, 'withdrawn')
    await tell(db, question, 'question_withdrawn', statusChange(question, 'withdrawn'))
    return getThread(db, workspace, question.id)
  },

  update: async (context, { params, body }) => {
    const question = await manage(context, params)
    requireStatus(question, ...UNANSWERED)
    requireRead(question, body.drafted_at)
    const { db } = context
    const columns = await columnsOf(db, question, body.question)
    if (body.question.file_ids !== undefined) await setFiles(db, question, body.question.file_ids)
    const { draft, ...facts } = body.question
    await changeQuestion(db, question, columns, draft === undefined ? 'changed' : 'drafted')
    await tell(db, question, 'question_worked_on', created({ ...facts, ...(draft !== undefined && { drafted: true }) }))
    return getThread(db, question.workspace, question.id)
  },

  note: async (context, { params, body }) => {
    const question = await manage(context, params)
    await changeQuestion(context.db, question, {}, 'note', body.text)
    await tell(context.db, question, 'question_worked_on', created({ noted: true }))
    return getThread(context.db, question.workspace, question.id)
  },

  move: async (context, { params, body }) => {
    const question = await manage(context, params)
    await STEPS[body.step](context.db, question, body.text)
    return getThread(context.db, question.workspace, question.id)
  },

  answer: async (context, { params, body }) => {
    const { db, actor } = context
    const question = await manage(context, params)
    requireStatus(question, ...UNANSWERED)
    requireRead(question, body.drafted_at)
    requireDraft(question)
    if (body.reach === 'group') requireAsker(question)
    await enterGroups(db, question.workspace, [...new Set(body.group_ids)])
    await setReceivers(db, question, body)
    const given = {
      status: 'answered' as const,
      answer: question.draft,
      answered_by: actor.id,
      answered_at: DATABASE_NOW,
    }
    await changeQuestion(
      db,
      question,
      { ...given, reach: body.reach, ...(body.reach === 'group' && { faq: null }) },
      'answered',
    )
    const changes = {
      ...statusChange(question, 'answered'),
      ...created(receiversOf(body)),
    }
    await tell(db, question, 'question_answered', changes)
    return getThread(db, question.workspace, question.id)
  },

  writeFaq: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    await enterGroups(db, workspace, [...new Set(body.group_ids)])
    const question = await insertEntry(db, workspace, body)
    await setReceivers(db, question, body)
    if (body.question.file_ids.length > 0) await setFiles(db, question, body.question.file_ids)
    await changeQuestion(db, question, {}, 'written')
    const { category } = body.question
    const changes = created({ category, ...receiversOf(body) })
    await tell(db, question, 'question_faq_written', changes)
    return getThread(db, workspace, question.id)
  },

  editFaq: async (context, { params, body }) => {
    const { db } = context
    const question = await manage(context, params)
    requireStatus(question, 'answered')
    if (question.faq === null || question.reach === 'group') throw refusal('question_in_other_state')
    requireAnswerRead(question, body.answered_at)
    await enterGroups(db, question.workspace, [...new Set(body.group_ids)])
    if (body.reach !== undefined) await setReceivers(db, question, { reach: body.reach, group_ids: body.group_ids })
    if (body.question.file_ids !== undefined) await setFiles(db, question, body.question.file_ids)
    const { columns, before } = await editOf(db, question, body.question)
    const reach = body.reach !== undefined && { reach: body.reach }
    await changeQuestion(db, question, { ...columns, ...reach }, before === '' ? 'changed' : 'edited', before)
    await tell(db, question, 'question_faq_edited', editChanges(question, body))
    return getThread(db, question.workspace, question.id)
  },

  placeFaq: async (context, { params, body }) => {
    const { db, actor } = context
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    // Before the question, so that two that are placed do not wait for each other.
    await lockFaq(db, workspace)
    const question = await manageQuestion(db, workspace, params.question_id)
    requireStatus(question, 'answered')
    if (question.reach === 'group') throw refusal('question_in_other_state')
    const was = question.faq !== null
    if (body.faq) await placeFaq(db, question, body.after)
    else requireAsker(question)
    await changeQuestion(db, question, body.faq ? {} : { faq: null }, body.faq ? 'placed' : 'removed')
    const act = body.faq ? 'question_faq_placed' : 'question_faq_removed'
    await tell(db, question, act, { faq: { before: was, after: body.faq } })
    return getThread(db, workspace, question.id)
  },

  getSettings: async ({ db, actor }, { params }) =>
    getQuestionSettings(db, await enterWorkspace(db, actor, params.workspace_id)),

  updateSettings: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    await enterGroups(db, workspace, [...new Set(body.groups.map(({ group_id }) => group_id))])
    const before = await getQuestionSettings(db, workspace)
    await setQuestionSettings(db, workspace, body)
    const after = await getQuestionSettings(db, workspace)
    const changes = changesBetween(settingsOf(before), settingsOf(after))
    if (changes) await recordForAudit(db, workspace, { act: 'questions_set', subject_id: workspace.id, changes })
    return after
  },
}

async function enterFiltered(
  { db, actor }: Context,
  { params, query }: Pick<Input<Api['questions']['count']>, 'params' | 'query'>,
) {
  const workspace = await enterWorkspace(db, actor, params.workspace_id)
  // Otherwise these filters would tell others who asked and who answers.
  if (query.assignee_id !== undefined || query.awaits_id !== undefined) asAdmin(workspace)
  if (query.group_id !== undefined) await enterGroup(db, workspace, query.group_id)
  return workspace
}

async function manage({ db, actor }: Context, { workspace_id, question_id }: Input<Api['questions']['get']>['params']) {
  return manageQuestion(db, await administerWorkspace(db, actor, workspace_id), question_id)
}

/** What a question was given by its category, as far as it was given something. */
const givenOf = (routed: Routed | undefined) =>
  Object.fromEntries(Object.entries(routed ?? {}).filter(([, value]) => value !== null))

type Step = (db: Db, question: ManagedQuestion, text: string) => Promise<void>

const STEPS: Record<Input<Api['questions']['move']>['body']['step'], Step> = {
  submit: async (db, question, text) => {
    requireStatus(question, 'open', 'draft')
    requireDraft(question)
    await changeQuestion(db, question, { status: 'to_approve' }, 'submitted', text)
    await tell(db, question, 'question_worked_on', statusChange(question, 'to_approve'))
  },
  send_back: async (db, question, text) => {
    requireStatus(question, 'to_approve')
    await changeQuestion(db, question, { status: 'draft' }, 'sent_back', text)
    await tell(db, question, 'question_worked_on', statusChange(question, 'draft'))
  },
  close: async (db, question, text) => {
    requireStatus(question, ...UNANSWERED)
    await changeQuestion(db, question, { status: 'closed' }, 'closed', text)
    await tell(db, question, 'question_closed', statusChange(question, 'closed'))
  },
  reopen: async (db, question, text) => {
    requireStatus(question, 'answered', 'closed')
    const status = question.draft === '' ? 'open' : 'draft'
    const columns = { status, answer: '', answered_by: null, answered_at: null, reach: 'group' } as const
    await setReceivers(db, question, { reach: 'group', group_ids: [] })
    await changeQuestion(db, question, columns, 'reopened', text)
    await tell(db, question, 'question_reopened', statusChange(question, status))
    await mailExperts(db, question, await listAwaited(db, question))
  },
}

/** Nobody replaces or approves a draft of another admin unread. @throws ApiError 409 */
function requireRead({ drafted_at }: ManagedQuestion, read: string | null | undefined): void {
  const at = (time: string | null) => time && Date.parse(time)
  if (read !== undefined && at(read) !== at(drafted_at)) throw refusal('question_in_other_state')
}

/** An answer that was read is not replaced by one who read an earlier one. @throws ApiError 409 */
function requireAnswerRead({ answered_at }: ManagedQuestion, read: string | undefined): void {
  if (read !== undefined && Date.parse(read) !== Date.parse(answered_at ?? '')) throw refusal('question_in_other_state')
}

/** @throws ApiError 409 for an entry that admins wrote: it is for groups or for all, and always among the FAQ */
function requireAsker({ group_number }: ManagedQuestion): void {
  if (group_number === 0) throw refusal('question_without_asker')
}

function requireDraft({ draft }: ManagedQuestion): void {
  if (draft === '') throw unprocessable('question.draft', 'not_empty')
}

type QuestionAct = Extract<FeedAct, `question_${string}`>

/** Only admins and the actor read the acts of questions: the subject has no id that would count those of others. */
async function tell(
  db: Db,
  question: OwnQuestion | ManagedQuestion,
  act: QuestionAct,
  changes: Changes,
): Promise<void> {
  const { subject, workspace } = question
  await record(db, workspace, { act, params: { subject }, subject_id: null, changes })
}

const statusChange = ({ status }: { status: QuestionStatus }, after: QuestionStatus): Changes => ({
  status: { before: status, after },
})

/** Groups that are given besides another reach get nothing. */
const receiversOf = ({ reach, group_ids }: { reach?: string | undefined; group_ids: number[] }) => ({
  reach,
  group_ids: reach === 'groups' ? group_ids : [],
})

function editChanges({ reach }: ManagedQuestion, { question, ...given }: Input<Api['questions']['editFaq']>['body']) {
  const { category, ...texts } = question
  const facts = created({
    category,
    edited: Object.keys(texts),
    ...(given.reach && { group_ids: receiversOf(given).group_ids }),
  })
  return given.reach ? { ...facts, reach: { before: reach, after: given.reach } } : facts
}

type Asked = Input<Api['questions']['ask']>['body']['question']

/** @throws ApiError 404 for a place that the caller may not see, 422 for more than one, and for a page of no file */
async function requirePlace(db: Db, workspace: Workspace, { file_id, folder_id, page_number }: Asked): Promise<void> {
  if (file_id !== undefined && folder_id !== undefined) throw unprocessable('question.file_id', 'file_or_folder')
  if (page_number !== undefined && file_id === undefined) throw unprocessable('question.page_number', 'page_of_file')
  if (file_id !== undefined) await enterFile(db, workspace, file_id)
  if (folder_id === undefined) return
  const folder = await enterFolder(db, workspace, folder_id)
  if (!folder.rights.view) throw notFound()
}

const settingsOf = ({ categories, groups, routes }: QuestionSettings) => ({
  categories,
  // No names: the trail outlives those who are erased.
  routes: routes.map(({ category, assignee, approver, days }) => ({
    category,
    assignee_id: assignee?.id ?? null,
    approver_id: approver?.id ?? null,
    days,
  })),
  groups: groups.map((group) => ({ ...group, used: 0, has_asked: false })),
})

type Imported = Input<Api['questions']['import']>['body']['questions']

async function addAll(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  workspaceId: number,
  questions: Imported,
  named: NamedImport | undefined,
) {
  const workspace = await administerWorkspace(db, actor, workspaceId)
  if (named && !(await rememberImport(db, workspace, named))) return { imported: questions.length }
  // A group of another workspace is 404, as everywhere; one that admins did not add has its line named.
  await enterGroups(db, workspace, [...new Set(questions.map(({ group_id }) => group_id))])
  const routed = await importQuestions(db, workspace, questions)
  const imported = questions.map(({ group_id, subject }, at) => ({ group_id, subject, ...givenOf(routed[at]) }))
  const changes = created({ imported })
  const [first] = questions
  const deed =
    questions.length === 1 && first
      ? ({ act: 'question_imported', params: { subject: first.subject } } as const)
      : ({ act: 'questions_imported', params: { count: String(questions.length) } } as const)
  await record(db, workspace, { ...deed, subject_id: null, changes })
  return { imported: questions.length }
}
