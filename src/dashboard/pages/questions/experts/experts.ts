import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { GraduationCap, MessageSquareReply } from 'lucide-react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read } from '../../../api/query.ts'
import type { Look } from '../../../shared/asking/priorities.ts'
import { COUNTED_EVERY } from '../../../shared/news/news-queries.ts'
import { STATUSES } from '../questions.ts'
import { known } from '../../../ui/words/known.ts'

export type Expert = Reply<typeof api.experts.list>[number]
export type PassedThread = Reply<typeof api.experts.getPassed>
export type PassedPage = Reply<typeof api.experts.listPassed>
export type Passed = PassedPage['questions'][number]

export const expertsQuery = (workspace_id: number) => read(api.experts.list, { params: { workspace_id } })
/** No event tells an expert of questions. */
const again = { staleTime: 0, refetchInterval: COUNTED_EVERY }
export const passedQuery = (workspace_id: number, after: string | undefined) => ({
  ...read(api.experts.listPassed, { params: { workspace_id }, query: { per_page: 50, ...(after && { after }) } }),
  ...again,
})
/** The same as an admin sees it who looks at what the expert sees. */
export const passedAsQuery = (workspace_id: number, user_id: number, after?: string) =>
  read(api.experts.viewPassedAs, {
    params: { workspace_id, user_id },
    query: { per_page: 50, ...(after && { after }) },
  })
export const passedThreadAsQuery = (params: { workspace_id: number; question_id: string; user_id: number }) => ({
  ...read(api.experts.viewAs, { params }),
  staleTime: 0,
})
export const passedThreadQuery = (workspace_id: number, question_id: string) => ({
  ...read(api.experts.getPassed, { params: { workspace_id, question_id } }),
  ...again,
})

const OTHER_STATE = msg`Another state`

const STATES: Record<Passed['state'], Look> = {
  waiting: { label: msg`Waits for you`, icon: GraduationCap, colour: 'warning.main' },
  replied: { label: msg`You have replied`, icon: MessageSquareReply, colour: 'success.main' },
  settled: { ...STATUSES.closed, label: msg`Settled` },
}

export const stateLook = (state: Passed['state']): Look =>
  known(STATES, state, { ...STATES.settled, label: OTHER_STATE })

/** The same to an admin who looks at what an expert sees. */
const SEEN_STATES: Record<Passed['state'], MessageDescriptor> = {
  waiting: msg`Waits for this person`,
  replied: msg`This person has replied`,
  settled: msg`Settled`,
}

/** Why an expert gets no questions and sees none now. */
const BARS: Record<NonNullable<Expert['bar']>, MessageDescriptor> = {
  admin: msg`Sees no passed questions: admins see all questions.`,
  asks: msg`Sees no passed questions: is in a group that asks, or has asked, questions.`,
  no_access: msg`Sees no passed questions: is in no group with access now, apart from that of all members.`,
}

export const seenLook = (state: Passed['state']): Look => ({
  ...stateLook(state),
  label: known(SEEN_STATES, state, OTHER_STATE),
})

export const seenState = (state: Passed['state']): string => i18n._(seenLook(state).label)

export const barWords = (bar: NonNullable<Expert['bar']>): string =>
  i18n._(known(BARS, bar, msg`Sees no passed questions.`))

export const isLate = ({ due_on, state }: Passed) =>
  due_on !== null && state === 'waiting' && due_on < new Date().toISOString().slice(0, 10)
