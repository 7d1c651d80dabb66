import { msg } from '@lingui/core/macro'
import { Circle, CircleCheck, CircleSlash, CircleX, PencilLine, Stamp } from 'lucide-react'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { QUESTION_STATUSES, type QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../contract/index.ts'
import { readId } from '../../../contract/read-id.ts'
import { read } from '../../api/query.ts'
import type { Look } from '../../shared/asking/priorities.ts'
import { known } from '../../ui/words/known.ts'

export type Page = Reply<typeof api.questions.list>
export type Question = Page['questions'][number]
export type Thread = Reply<typeof api.questions.get>
export type Work = NonNullable<Thread['work']>
export type Settings = Reply<typeof api.questions.getSettings>

const PER_PAGE = 100
const READ_EVERY = 30_000

export type Filters = Partial<Input<typeof api.questions.list>['query']>

/** What was passed to an expert has other cursors. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The filters in an address. Values that the service would refuse are ignored. */
export function filtersIn(search: URLSearchParams, admin = true): Filters {
  const text = (name: string) => search.get(name) || undefined
  const status = QUESTION_STATUSES.find((each) => each === search.get('status'))
  const id = (name: string) => readId(search.get(name)) || undefined
  const [group, file] = [id('group'), id('file')]
  // Others are refused these, for instance by the link of an admin.
  const [assignee, awaits] = admin ? [id('assignee'), id('awaits')] : []
  const after = text('after')
  return {
    per_page: PER_PAGE,
    ...(status && { status }),
    ...(text('category') && { category: text('category') }),
    ...(group && { group_id: group }),
    ...(file && { file_id: file }),
    ...(assignee && { assignee_id: assignee }),
    ...(awaits && { awaits_id: awaits }),
    ...(text('q') && { q: text('q') }),
    ...(after && UUID.test(after) && { after }),
  }
}

/** The list, a board by state for admins, the FAQ and answers that were given to all, or what was passed to an expert. */
const VIEWS = ['passed', 'list', 'board', 'faq'] as const
export type View = (typeof VIEWS)[number]

/** Experts begin with what was passed to them. */
export const firstView = ({ passed }: Settings): View => (passed ? 'passed' : 'list')

export function viewIn(search: URLSearchParams, admin: boolean, settings: Settings): View {
  const view = VIEWS.find((each) => each === search.get('view')) ?? firstView(settings)
  const may = { passed: settings.passed, list: true, board: admin, faq: true }
  return may[view] ? view : 'list'
}

export const listQuery = (workspace_id: number, query: Filters) =>
  read(api.questions.list, { params: { workspace_id }, query })
export const threadQuery = (workspace_id: number, question_id: string) =>
  read(api.questions.get, { params: { workspace_id, question_id } })
/** Askers have no event of questions, because it would tell of those of others: what they read, they read again. */
export const again = ({ admin }: { admin: boolean }) => (admin ? {} : { refetchInterval: READ_EVERY })
export const settingsQuery = (workspace_id: number) => read(api.questions.getSettings, { params: { workspace_id } })

export const STATUSES: Record<QuestionStatus, Look> = {
  to_approve: { label: msg`To approve`, icon: Stamp, colour: 'warning.main' },
  open: { label: msg({ message: 'Open', context: 'state of a question' }), icon: Circle, colour: 'tint.text' },
  draft: { label: msg`Draft answer`, icon: PencilLine, colour: 'tint.drawing' },
  answered: { label: msg`Answered`, icon: CircleCheck, colour: 'success.main' },
  closed: {
    label: msg({ message: 'Closed', context: 'state of a question' }),
    icon: CircleX,
    colour: 'text.secondary',
  },
  withdrawn: { label: msg`Withdrawn`, icon: CircleSlash, colour: 'text.secondary' },
}

const OTHER_STATUS: Look = { label: msg`Another state`, icon: Circle, colour: 'text.secondary' }

export const lookOf = (status: QuestionStatus): Look => known(STATUSES, status, OTHER_STATUS)

export const isUnanswered = ({ status }: Question) => ['to_approve', 'open', 'draft'].includes(status)

const today = () => new Date().toISOString().slice(0, 10)
export const isOverdue = (question: Question) =>
  question.due_on !== null && question.due_on < today() && isUnanswered(question)
