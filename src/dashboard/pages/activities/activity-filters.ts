import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FeedSubject, FeedVerb } from '../../../contract/acts.ts'
import type { Call } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { zoneOfDays } from '../../ui/words/local-day.ts'

type Query = NonNullable<Call<typeof api.activities.list>['query']>

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

/** Returns the filters of an address. Values that the API would refuse are ignored. */
export function filtersOf(search: URLSearchParams): Query {
  const text = (name: Filter) => search.get(name) ?? ''
  const [from, to] = [day(text('from')), day(text('to'))]
  const size = PAGE_SIZES.find((size) => String(size) === search.get('per_page')) ?? DEFAULT_PAGE_SIZE
  return {
    page: positive(search.get('page')) ?? 1,
    per_page: size,
    ...given('user_id', positive(text('user_id'))),
    ...given('verb', Object.hasOwn(VERBS, text('verb')) ? text('verb') : undefined),
    ...given('subject_type', Object.hasOwn(SUBJECTS, text('subject_type')) ? text('subject_type') : undefined),
    ...given('subject_id', positive(text('subject_id'))),
    ...given('from', from),
    ...given('to', to),
    ...given('time_zone', from || to ? zoneOfDays() : undefined),
  }
}

/** Returns the address with the filter set, or removed for "". A change of anything but the page resets the page. */
export function withFilter(
  search: URLSearchParams,
  name: Filter | 'page' | 'per_page',
  value: string,
): URLSearchParams {
  const next = new URLSearchParams(search)
  if (value === '') next.delete(name)
  else next.set(name, value)
  if (name !== 'page') next.delete('page')
  // The id is that of a subject of the former type.
  if (name === 'subject_type') next.delete('subject_id')
  return next
}

export function withoutFilters(search: URLSearchParams): URLSearchParams {
  return FILTERS.reduce((next, name) => withFilter(next, name, ''), search)
}

export const isFiltered = (query: Query): boolean => FILTERS.some((name) => name in query)

export function activitiesQuery(workspace_id: number, search: URLSearchParams) {
  return read(api.activities.list, { params: { workspace_id }, query: filtersOf(search) })
}

export function summaryQuery(workspace_id: number, search: URLSearchParams) {
  const { page: _, per_page: __, ...query } = filtersOf(search)
  return read(api.activities.summary, {
    params: { workspace_id },
    query: { ...query, ...given('time_zone', zoneOfDays()) },
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
