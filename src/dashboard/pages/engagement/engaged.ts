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
  by: 'documents' | 'folders'
  page: number
  file: number | undefined
}

export function wantedOf(search: URLSearchParams): Wanted {
  const days = Number(search.get('days'))
  return {
    days: PERIODS.includes(days) ? days : USUAL,
    by: search.get('by') === 'folders' ? 'folders' : 'documents',
    page: readId(search.get('page')) || 1,
    file: readId(search.get('file')) || undefined,
  }
}

/** The first of the last days, in UTC as the service counts them. */
export const firstOf = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

export const groupsQuery = (id: number, days: number) =>
  read(api.engagement.groups, { params: { id }, query: { from: firstOf(days) } })

/** Beside folders, whose pages are others: the first page. */
export const documentsQuery = (id: number, { days, by, page }: Wanted) =>
  read(api.engagement.documents, {
    params: { id },
    query: { from: firstOf(days), page: by === 'folders' ? 1 : page, per_page: PER_PAGE },
  })

export const foldersQuery = (id: number, { days, page }: Pick<Wanted, 'days' | 'page'>) =>
  read(api.engagement.folders, { params: { id }, query: { from: firstOf(days), page, per_page: PER_PAGE } })

export const fileQuery = (workspace_id: number, id: number, days: number) =>
  read(api.engagement.file, { params: { id }, query: { workspace_id, from: firstOf(days) } })

export const titleQuery = (workspace_id: number, id: number) =>
  read(api.files.get, { params: { id }, query: { workspace_id } })

export const peopleQuery = (id: number, days: number, group_id: number, page: number) =>
  read(api.engagement.people, { params: { id }, query: { from: firstOf(days), group_id, page, per_page: PER_PAGE } })

/** Changes one part of the address; a change of anything but the page begins at the first page. */
export function withWanted(search: URLSearchParams, name: 'days' | 'by' | 'page' | 'file', value: string) {
  const next = new URLSearchParams(search)
  next.set(name, value)
  if (name === 'by' || name === 'days') next.delete('page')
  return next
}
