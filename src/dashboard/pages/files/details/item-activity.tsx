import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { activityInWords } from '../../../shared/activities/activity-words.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { firstOfLast, zoneOfDays } from '../../../ui/words/local-day.ts'
import { Time } from '../../../ui/words/time.tsx'
import { DAYS, Readers } from './readers.tsx'
import { Section, Titled } from './section.tsx'
import { useRested } from './use-rested.ts'

interface ItemActivityProps {
  workspaceId: number
  kind: 'file' | 'folder'
  id: number
  /** Whether to count who read it, which costs more than the newest acts. */
  isCounted: boolean
}

const SHOWN = 4
const FRESH_MS = 30_000

/** Tells who opened a file or the files of a folder, and what happened with the folder itself. For workspace admins. */
export function ItemActivity({ workspaceId, kind, id, isCounted }: ItemActivityProps) {
  const subject = id === ROOT ? {} : { subject_type: kind === 'file' ? 'Asset' : 'Folder', subject_id: id }
  const summary = useSummary(workspaceId, kind === 'file' ? subject : { folder_id: id }, isCounted)
  const engaged = useEngaged(workspaceId, id, kind === 'file')
  const acts = useReading({
    ...read(api.activities.list, {
      params: { workspace_id: workspaceId },
      query: { ...subject, page: 1, per_page: 25 },
    }),
    enabled: useRested() && kind === 'folder',
  })
  if (acts.isError || summary.isError) return null
  const isKnown =
    (!isCounted || summary.data) && (kind === 'folder' ? acts.data : !engaged.isPending || engaged.isError)
  return (
    <Section aria-label={t`Activity`} aria-busy={!isKnown}>
      <Titled title={t`Activity`}>
        <Link
          to={paths.activities(workspaceId, subject)}
          aria-label={kind === 'folder' ? t`All that happened in it` : t`All activity`}
        >{t`All`}</Link>
      </Titled>
      {!isKnown && <SkeletonRows rows={SHOWN} height={34} columns="minmax(0, 1fr)" />}
      {isKnown && summary.data && (
        <Readers workspaceId={workspaceId} kind={kind} summary={summary.data} engaged={engaged.data} />
      )}
      {isKnown && acts.data && <Acts events={acts.data.events} isRoot={id === ROOT} />}
    </Section>
  )
}

function useSummary(workspace_id: number, about: { subject_id?: number; folder_id?: number }, isCounted: boolean) {
  const zone = zoneOfDays()
  const query = { ...about, from: firstOfLast(DAYS), ...(zone !== undefined && { time_zone: zone }) }
  return useReading({
    ...read(api.activities.summary, { params: { workspace_id }, query }),
    staleTime: FRESH_MS,
    enabled: useRested() && isCounted,
  })
}

function useEngaged(workspace_id: number, id: number, isFile: boolean) {
  return useReading({
    ...read(api.engagement.file, { params: { id }, query: { workspace_id } }),
    staleTime: FRESH_MS,
    enabled: useRested() && isFile,
  })
}

interface ActsProps {
  events: readonly (Parameters<typeof activityInWords>[0] & { id: number; user_name: string; created_at: string })[]
  isRoot: boolean
}

function Acts({ events, isRoot }: ActsProps) {
  if (events.length === 0) {
    return (
      <Typography color="textSecondary">
        {isRoot ? t`Nothing has happened with it yet.` : t`Nothing has happened with the folder itself yet.`}
      </Typography>
    )
  }
  return (
    <ol>
      {events.slice(0, SHOWN).map((event) => (
        <li key={event.id}>
          <span>
            <b>{event.user_name}</b> {activityInWords(event)}
          </span>
          <Time at={event.created_at} />
        </li>
      ))}
    </ol>
  )
}
