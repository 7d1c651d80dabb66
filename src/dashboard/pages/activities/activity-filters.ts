import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FeedSubject, FeedVerb } from '../../../contract/acts.ts'
import type { Call } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failures.ts'
import { type Query as ReadQuery, read } from '../../api/query.ts'
import { zoneOfDays } from '../../ui/words/local-day.ts'

type Query = NonNullable<Call<typeof api.activities.feed>['query']>

export const PAGE_SIZES = [25, 50, 75, 100] as const
const DEFAULT_PAGE_SIZE = 50
const FILTERS = ['user_id', 'verb', 'subject_type', 'subject_id', 'from', 'to'] as const
export type Filter = (typeof FILTERS)[number]

/** Labels of the API's verbs, in the words of the feed. */
export const VERBS: Record<FeedVerb, MessageDescriptor> = {
  viewed: msg`Viewed`,
  downloaded: msg`Downloaded`,
  opened: msg`Opened sealed files`,
  refused: msg`Was refused sealed files`,
  created: msg`Added`,
  updated: msg`Updated`,
  updated_name: msg`Renamed files and folders`,
  renamed: msg`Renamed groups`,
  copied: msg`Copied`,
  moved: msg`Moved`,
  deleted: msg`Deleted`,
  restored: msg`Restored`,
  damaged: msg`Found damaged`,
  added: msg`Granted permissions`,
  removed: msg`Revoked permissions`,
  granted: msg`Switched protection on`,
  revoked: msg`Switched protection off`,
  joined: msg`Joined`,
  invited: msg({ message: 'Invited', context: 'act' }),
  reminded: msg`Reminded`,
  enabled: msg`Enabled API access`,
  disabled: msg`Disabled API access`,
  issued: msg`Issued terms`,
  withdrew: msg`Withdrew terms`,
  accepted: msg`Accepted terms`,
  declined: msg`Declined terms`,
}

export const SUBJECTS: Record<FeedSubject, MessageDescriptor> = {
  Asset: msg`Files`,
  Folder: msg`Folders`,
  Group: msg`Groups and permissions`,
  GroupMembership: msg`Members of groups`,
  Membership: msg`People`,
  Question: msg`Questions`,
  Workspace: msg`The workspace`,
  Terms: msg`Terms`,
}

/** Returns the filters of an address, and the days' time zone. Values that the API would refuse are ignored. */
export function filtersOf(search: URLSearchParams): Query {
  const text = (name: Filter) => search.get(name) ?? ''
  return {
    ...given('user_id', positive(text('user_id'))),
    ...given('verb', Object.hasOwn(VERBS, text('verb')) ? text('verb') : undefined),
    ...subjectOf(
      Object.hasOwn(SUBJECTS, text('subject_type')) ? text('subject_type') : '',
      positive(text('subject_id')),
    ),
    ...given('from', day(text('from'))),
    ...given('to', day(text('to'))),
    ...given('time_zone', zoneOfDays()),
  }
}

/** A folder stands for everything in it, and a group for its members too. */
function subjectOf(subject_type: string, id: number | undefined): Query {
  if (id !== undefined && subject_type === 'Folder') return { folder_id: id }
  if (id !== undefined && subject_type === 'Group') return { group_id: id }
  return { ...given('subject_type', subject_type || undefined), ...given('subject_id', id) }
}

export const pageOf = (search: URLSearchParams): number => positive(search.get('page')) ?? 1

export const pageSizeOf = (search: URLSearchParams): (typeof PAGE_SIZES)[number] =>
  PAGE_SIZES.find((size) => String(size) === search.get('per_page')) ?? DEFAULT_PAGE_SIZE

/** Returns the address with the filter set, or removed for "". A change of anything but the page leads to the newest. */
export function withFilter(
  search: URLSearchParams,
  name: Filter | 'page' | 'after' | 'per_page',
  value: string,
): URLSearchParams {
  const next = new URLSearchParams(search)
  if (value === '') next.delete(name)
  else next.set(name, value)
  if (name !== 'page') next.delete('page')
  if (name !== 'after') next.delete('after')
  // The id is that of a subject of the former type.
  if (name === 'subject_type') next.delete('subject_id')
  return next
}

export function withoutFilters(search: URLSearchParams): URLSearchParams {
  return FILTERS.reduce((next, name) => withFilter(next, name, ''), search)
}

export const isFiltered = (search: URLSearchParams): boolean =>
  Object.keys(filtersOf(search)).some((name) => name !== 'time_zone')

const CURSOR = /^\d{1,14}_\d{1,10}$/

/** Returns the `after` of an address, for the page behind an event. */
export function afterOf(search: URLSearchParams): string | undefined {
  const after = search.get('after') ?? ''
  return CURSOR.test(after) ? after : undefined
}

export function feedQuery(workspace_id: number, search: URLSearchParams): ReadQuery<typeof api.activities.feed> {
  const page = { per_page: pageSizeOf(search), ...given('after', afterOf(search)) }
  const input = (filters: Query) => ({ params: { workspace_id }, query: { ...filters, ...page } })
  const { queryKey } = read(api.activities.feed, input(filtersOf(search)))
  return {
    queryKey,
    queryFn: ({ signal }) => orItself(search, (filters) => firstWithEvents(input(filters), signal)),
  }
}

/** The service looks through only so many acts for a page: it may be empty while older ones are not. */
async function firstWithEvents(input: Call<typeof api.activities.feed>, signal: AbortSignal) {
  const page = await call(api.activities.feed, input, signal)
  if (page.events.length > 0 || page.next === null) return page
  return firstWithEvents({ ...input, query: { ...input.query, after: page.next } }, signal)
}

export function summaryQuery(workspace_id: number, search: URLSearchParams): ReadQuery<typeof api.activities.summary> {
  const input = (query: Query) => ({ params: { workspace_id }, query })
  const { queryKey } = read(api.activities.summary, input(filtersOf(search)))
  return {
    queryKey,
    queryFn: ({ signal }) => orItself(search, (filters) => call(api.activities.summary, input(filters), signal)),
  }
}

/** Reads by the filters of an address; of a folder or group that is gone, or not the caller's to ask about, only the acts on itself. */
export async function orItself<T>(search: URLSearchParams, readBy: (filters: Query) => Promise<T>): Promise<T> {
  const { folder_id, group_id, ...filters } = filtersOf(search)
  if (folder_id === undefined && group_id === undefined) return readBy(filters)
  const itself =
    folder_id === undefined
      ? { subject_type: 'Group', subject_id: group_id }
      : { subject_type: 'Folder', subject_id: folder_id }
  return readBy(filtersOf(search)).catch((error: unknown) => {
    if (error instanceof ApiFailure && [403, 404].includes(error.code)) return readBy({ ...filters, ...itself })
    throw error
  })
}

function given<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>)
}

function positive(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function day(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return undefined
  const time = new Date(text)
  // The browser takes 30 February for 2 March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : undefined
}
