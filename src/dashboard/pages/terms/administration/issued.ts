import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read } from '../../../api/query.ts'
import { known } from '../../../ui/words/known.ts'

export type Version = Reply<typeof api.terms.listVersions>[number]
export type Answer = Reply<typeof api.terms.listAnswers>[number]
export type Group = Pick<Reply<typeof api.groups.list>[number], 'id' | 'name'>

export const versionsQuery = (id: number) => read(api.terms.listVersions, { params: { id } })
export const answersQuery = (id: number) => read(api.terms.listAnswers, { params: { id } })
export const groupsQuery = (id: number) => read(api.groups.list, { query: { workspace_id: id } })
/** For what never changes of a version; `versionsQuery` tells whether it is in force, and how many have answered it. */
export const versionQuery = (id: number, terms_id: number) => ({
  ...read(api.terms.getVersion, { params: { id, terms_id } }),
  staleTime: 'static' as const,
})
export const draftQuery = (id: number, group_id: number | undefined) =>
  read(api.terms.getDraft, { params: { id }, query: { group_id } })

const ANSWER_WORDS: Record<Answer['answer'], MessageDescriptor> = {
  accepted: msg({ message: 'Accepted', context: 'answer' }),
  declined: msg({ message: 'Declined', context: 'answer' }),
  awaited: msg({ message: 'Awaited', context: 'answer' }),
}

export const answerName = (answer: Answer['answer']): string =>
  i18n._(known(ANSWER_WORDS, answer, msg({ message: 'Another answer', context: 'answer' })))
