import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { activityInWords } from '../../../shared/activities/activity-words.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { ROOT } from '../../../shared/listing/folder-query.ts'
import { timeAgo } from '../../../ui/words/format.ts'
import { useRested } from './use-rested.ts'
import { ReadingTime } from './reading-time.tsx'
import { Section } from './section.tsx'

interface ItemActivityProps {
  workspaceId: number
  kind: 'file' | 'folder'
  id: number
  /** Whether to count who read it, which costs more than the newest acts. */
  isCounted: boolean
}

const SHOWN = 4
const FRESH_MS = 30_000

/** Tells what happened with a file or folder: how many people opened it, and the newest acts. For workspace admins. */
export function ItemActivity({ workspaceId, kind, id, isCounted }: ItemActivityProps) {
  const params = { workspace_id: workspaceId }
  const subject = id === ROOT ? {} : { subject_type: kind === 'file' ? 'Asset' : 'Folder', subject_id: id }
  /** The page of activities shows everything below a folder; its own acts are read here, which is quick. */
  const isFolder = kind === 'folder' && id !== ROOT
  const rested = useRested()
  const acts = useReading({
    ...read(api.activities.list, { params, query: { ...subject, page: 1, per_page: 25 } }),
    enabled: rested,
  })
  const summary = useReading({
    ...read(api.activities.summary, { params, query: kind === 'file' ? subject : { folder_id: id } }),
    staleTime: FRESH_MS,
    enabled: rested && isCounted,
  })
  if (acts.isError || summary.isError) return null
  const isKnown = acts.data && (!isCounted || summary.data)
  const total = acts.data?.pagination.total_items ?? 0
  return (
    <Section aria-label={t`Activity`} aria-busy={!isKnown}>
      <Typography variant="h3">{t`Activity`}</Typography>
      {!isKnown && <SkeletonRows rows={SHOWN} height={34} columns="minmax(0, 1fr)" />}
      {isKnown && summary.data && (
        <Typography color="textSecondary">{readersWords(kind, summary.data.reading)}</Typography>
      )}
      {kind === 'file' && (summary.data?.reading.people ?? 0) > 0 && <ReadingTime workspaceId={workspaceId} id={id} />}
      {isKnown && (
        <ol>
          {acts.data?.events.slice(0, SHOWN).map((event) => (
            <li key={event.id}>
              <span>
                <b>{event.user_name}</b> {activityInWords(event)}
              </span>
              <Time at={event.created_at} />
            </li>
          ))}
        </ol>
      )}
      {isKnown && (total > 0 || isFolder) && (
        <Link to={paths.activities(workspaceId, subject)}>
          {isFolder
            ? t`Show everything that happened in it`
            : plural(total, { one: 'Show # activity', other: 'Show all # activities' })}
        </Link>
      )}
      {isKnown && total === 0 && (
        <Typography color="textSecondary">
          {kind === 'file' || id === ROOT
            ? t`Nothing has happened with it yet.`
            : t`Nothing has happened with the folder itself yet.`}
        </Typography>
      )}
    </Section>
  )
}

type Reading = Reply<typeof api.activities.summary>['reading']

/** The summary counts the last 30 days. */
function readersWords(kind: 'file' | 'folder', { views, downloads, people, last_at }: Reading): string {
  if (people === 0) {
    return kind === 'file'
      ? t`Nobody opened it in the last 30 days.`
      : t`Nobody opened a file in it in the last 30 days.`
  }
  const viewed = plural(views, { one: '# view', other: '# views' })
  const downloaded = plural(downloads, { one: '# download', other: '# downloads' })
  const readers = plural(people, { one: '# person', other: '# people' })
  const last = timeAgo(last_at)
  return kind === 'file'
    ? t`${viewed} and ${downloaded} by ${readers} in the last 30 days, last ${last}.`
    : t`Files in it: ${viewed} and ${downloaded} by ${readers} in the last 30 days, last ${last}.`
}
