import { api } from '../../../../contract/index.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { read } from '../../../api/query.ts'

export type TermsPages = Reply<typeof api.terms.pages>

/** Of the pages of terms that are a PDF: as many as there may be. */
const ALL = { count: 100 }

/** Of a version, which never changes: an image whose URL has expired asks again. */
export const termsPagesQuery = (id: number, terms_id: number) => ({
  ...read(api.terms.pages, { params: { id, terms_id }, query: ALL }),
  staleTime: 'static' as const,
})

export const draftPagesQuery = (id: number, group_id: number | undefined) =>
  read(api.terms.draftPages, { params: { id }, query: { ...ALL, group_id } })

/** Both endpoints give the same. */
export type PagesQuery = ReturnType<typeof termsPagesQuery> | ReturnType<typeof draftPagesQuery>
