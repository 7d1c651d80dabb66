import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReadings } from '../../api/query.ts'
import { placeOf } from '../../shared/activities/activity-place.ts'
import { activityInWords } from '../../shared/activities/activity-words.ts'
import { countWords } from '../../shared/names-of.ts'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import type { FeedEvent } from './activity-days.ts'
import { filtersOf } from './activity-filters.ts'
import { Words } from './words.tsx'

interface ZipEventProps {
  workspaceId: number
  search: URLSearchParams
  event: FeedEvent
  zip: NonNullable<FeedEvent['zip']>
}

/** A zip, which opens into its folders and files. */
export function ZipEvent({ event, zip, ...place }: ZipEventProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{zipWords(event, zip)}</summary>
      {isOpen && <Acts zipId={zip.id} {...place} />}
    </details>
  )
}

const PER_PAGE = 50

interface ActsProps extends Pick<ZipEventProps, 'workspaceId' | 'search'> {
  zipId: number
}

function Acts({ workspaceId: workspace_id, search, zipId }: ActsProps) {
  const [cursors, setCursors] = useState<(string | undefined)[]>([undefined])
  const page = { ...filtersOf(search), zip_id: zipId, per_page: PER_PAGE } as const
  const pages = useReadings({
    queries: cursors.map((after) =>
      read(api.activities.feed, { params: { workspace_id }, query: { ...page, ...(after && { after }) } }),
    ),
  })
  const last = pages.at(-1)
  const next = last?.data?.next
  return (
    <ul aria-busy={last?.isPending}>
      {pages
        .flatMap(({ data }) => data?.events ?? [])
        .map((act) => (
          <li key={act.id}>
            <Words to={placeOf(act)}>{activityInWords(act)}</Words>
          </li>
        ))}
      {last?.isPending && (
        <li>
          <SkeletonRows rows={2} height={20} columns="minmax(0, 1fr)" />
        </li>
      )}
      {last?.error && <li role="alert">{messageOf(last.error)}</li>}
      {next && (
        <li>
          <Button size="small" onClick={() => setCursors([...cursors, next])}>
            <Trans>Show more</Trans>
          </Button>
        </li>
      )}
    </ul>
  )
}

/** "downloaded the folder: Finance (12 files)", "downloaded 2 folders and 14 files". */
function zipWords(event: FeedEvent, { folders, files }: ZipEventProps['zip']): string {
  if (event.subject_type !== 'Folder' || folders > 1) {
    const all = countWords({ folders, files })
    return t`downloaded ${all}`
  }
  const what = activityInWords(event)
  return t`${what} (${plural(files, { one: '# file', other: '# files' })})`
}
