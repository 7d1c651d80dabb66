import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type OwnTerms = Reply<typeof api.terms.mine>
export type OwnVersion = OwnTerms['terms'][number]

export const ownTermsQuery = (id: number) => read(api.terms.mine, { params: { id } })
