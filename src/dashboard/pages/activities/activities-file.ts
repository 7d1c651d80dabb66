import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { csvFormatRows } from 'd3-dsv'
import { csvCell } from '../../../contract/csv-cell.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import type { FeedEvent } from './activity-days.ts'
import { orItself } from './activity-filters.ts'

const COLUMNS = [msg`When (UTC)`, msg`Person`, msg`What`, msg`Action`, msg`About`, msg`About ID`, msg`Person ID`]
const PER_PAGE = 100
/** Limits this export only. The audit trail is exported as a whole, without a limit. */
export const MOST_ROWS = 10_000

export function formatActivities(activities: readonly FeedEvent[]): string {
  const lines = activities.map(({ created_at, user_name, message, verb, subject_type, subject_id, user_id }) =>
    [created_at, user_name, message, verb, subject_type ?? '', subject_id ?? '', user_id].map(csvCell),
  )
  return csvFormatRows([COLUMNS.map((label) => i18n._(label)), ...lines])
}

/** Reads the acts that match the filters of an address, newest first, at most `MOST_ROWS`, and whether there are more. */
export async function readActivities(
  workspace_id: number,
  search: URLSearchParams,
): Promise<{ found: FeedEvent[]; hasMore: boolean }> {
  const found: FeedEvent[] = []
  let after: string | null = null
  for (;;) {
    const { events, next } = await readPage(workspace_id, search, after)
    found.push(...events)
    if (next === null || found.length >= MOST_ROWS) return { found, hasMore: next !== null }
    after = next
  }
}

function readPage(workspace_id: number, search: URLSearchParams, after: string | null) {
  const page = { together: false, per_page: PER_PAGE, ...(after !== null && { after }) } as const
  return orItself(search, (filters) =>
    call(api.activities.feed, { params: { workspace_id }, query: { ...filters, ...page } }),
  )
}
