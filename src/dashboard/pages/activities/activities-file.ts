import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { csvFormatRows } from 'd3-dsv'
import { csvCell } from '../../../contract/csv-cell.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import type { Activity } from './activity-days.ts'
import { filtersOf } from './activity-filters.ts'

const COLUMNS = [msg`When (UTC)`, msg`Person`, msg`What`, msg`Action`, msg`About`, msg`About ID`, msg`Person ID`]
const PER_PAGE = 100
/** Limits this export only. The audit trail is exported as a whole, without a limit. */
export const MOST_ROWS = 10_000

export function formatActivities(activities: readonly Activity[]): string {
  const lines = activities.map(({ created_at, user_name, message, verb, subject_type, subject_id, user_id }) =>
    [created_at, user_name, message, verb, subject_type ?? '', subject_id ?? '', user_id].map(csvCell),
  )
  return csvFormatRows([COLUMNS.map((label) => i18n._(label)), ...lines])
}

/** Reads the activities that match the filters of an address, newest first, at most `MOST_ROWS`; `total` counts all. */
export async function readActivities(
  workspace_id: number,
  search: URLSearchParams,
): Promise<{ found: Activity[]; total: number }> {
  const found = new Map<number, Activity>()
  for (let page = 1; ; page++) {
    const query = { ...filtersOf(search), page, per_page: PER_PAGE } as const
    const { events, pagination } = await call(api.activities.list, { params: { workspace_id }, query })
    // Activities added since the first page push others to the next page; the map drops the repeats.
    for (const event of events) found.set(event.id, event)
    if (page >= pagination.total_pages || found.size >= MOST_ROWS) {
      return { found: [...found.values()].slice(0, MOST_ROWS), total: pagination.total_items }
    }
  }
}
