import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { readId } from '../../../contract/read-id.ts'
import { read } from '../../api/query.ts'

export type EngagedGroup = Reply<typeof api.engagement.groups>['groups'][number]
export type Cell = Reply<typeof api.engagement.documents>['files'][number]['cells'][number]
export type FileEngagement = Reply<typeof api.engagement.file>
export type EngagedPerson = Reply<typeof api.engagement.people>['people'][number]

export const PERIODS = [7, 14, 30, 90, 365]
const USUAL = 14
const PER_PAGE = 25
const DAY_MS = 86_400_000

/** What the address says about the page. */
export interface Wanted {
  days: number
  /** The last of the days; today without it. */
  until: string | undefined
  by: 'documents' | 'folders'
  page: number
  file: number | undefined
}

export function wantedOf(search: URLSearchParams): Wanted {
  const days = Number(search.get('days'))
  const until = search.get('until') ?? ''
  return {
    days: PERIODS.includes(days) ? days : USUAL,
    until: /^2\d{3}-\d\d-\d\d$/.test(until) && !Number.isNaN(Date.parse(until)) ? until : undefined,
    by: search.get('by') === 'folders' ? 'folders' : 'documents',
    page: readId(search.get('page')) || 1,
    file: readId(search.get('file')) || undefined,
  }
}

/** First and last of some days, in UTC as the service counts them. */
export interface Span {
  from: string
  /** Today without it. */
  to?: string
}

export function spanOf({ days, until }: Pick<Wanted, 'days' | 'until'>): Span {
  const last = until === undefined ? Date.now() : Date.parse(until)
  const from = new Date(last - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  return until === undefined ? { from } : { from, to: until }
}

export const groupsQuery = (id: number, span: Span) =>
  read(api.engagement.groups, { params: { id }, query: { ...span } })

/** Beside folders, whose pages are others: the first page. */
export const documentsQuery = (id: number, { by, page, ...days }: Wanted) =>
  read(api.engagement.documents, {
    params: { id },
    query: { ...spanOf(days), page: by === 'folders' ? 1 : page, per_page: PER_PAGE },
  })

export const foldersQuery = (id: number, { page, ...days }: Pick<Wanted, 'days' | 'until' | 'page'>) =>
  read(api.engagement.folders, { params: { id }, query: { ...spanOf(days), page, per_page: PER_PAGE } })

export const fileQuery = (workspace_id: number, id: number, span: Span) =>
  read(api.engagement.file, { params: { id }, query: { workspace_id, ...span } })

export const titleQuery = (workspace_id: number, id: number) =>
  read(api.files.get, { params: { id }, query: { workspace_id } })

export const peopleQuery = (id: number, span: Span, group_id: number, page: number) =>
  read(api.engagement.people, { params: { id }, query: { ...span, group_id, page, per_page: PER_PAGE } })

/** Changes one part of the address; a change of anything but the page begins at the first page. */
export function withWanted(search: URLSearchParams, name: 'days' | 'by' | 'page' | 'file', value: string) {
  const next = new URLSearchParams(search)
  next.set(name, value)
  if (name === 'by' || name === 'days') next.delete('page')
  if (name === 'days') next.delete('until')
  return next
}
