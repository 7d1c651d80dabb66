import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReadings } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { NotRead } from '../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { Time } from '../../ui/words/time.tsx'
import { AsideSection, Entries } from './aside.tsx'
import { placeOf } from '../../shared/activities/activity-place.ts'
import { activityInWords } from '../../shared/activities/activity-words.ts'
import { latestOf, liveliest } from './latest.ts'
import type { EnterableWorkspace } from './spaces.ts'

/**
 * What others did lately in the liveliest workspaces that the user administers; of the others, they see only what they
 * did themselves, which is no news.
 */
export function RecentActivity({ workspaces: all }: { workspaces: readonly EnterableWorkspace[] }) {
  const workspaces = all.filter(({ admin }) => admin)
  const answers = useReadings({
    queries: liveliest(workspaces).map(({ id }) =>
      read(api.activities.list, { params: { workspace_id: id }, query: { per_page: 50, others: true } }),
    ),
  })
  const pending = answers.some(({ isPending }) => isPending)
  const failed = answers.filter(({ data, error }) => !data && error)
  const [{ error } = { error: null }] = failed
  const latest = pending ? [] : latestOf(answers.flatMap(({ data }) => data?.events ?? []))
  const nameOf = (id: number) => workspaces.find((workspace) => workspace.id === id)?.name
  if (workspaces.length === 0) return null
  return (
    <AsideSection title={t`Recent activity`} busy={pending}>
      {latest.length === 0 && !error && <Nothing pending={pending} />}
      {error && (
        <Box sx={{ px: 2, py: 1.5 }}>
          <NotRead reason={messageOf(error)} onRetry={() => failed.forEach(({ refetch }) => void refetch())} />
        </Box>
      )}
      <Entries>
        {latest.map((activity) => {
          const { id, user_name, workspace_id, created_at } = activity
          const place = placeOf(activity)
          const words = activityInWords(activity)
          return (
            <li key={id}>
              <Typography sx={{ lineHeight: 1.4 }}>
                <strong>{user_name}</strong> {place ? <Quiet to={place}>{words}</Quiet> : words}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                <Where at={created_at} workspaceId={workspace_id} name={nameOf(workspace_id)} />
              </Typography>
            </li>
          )
        })}
      </Entries>
    </AsideSection>
  )
}

/** Avoids a column of underlines. */
const Quiet = styled(Link)({ '&:not(:hover)': { textDecoration: 'none' } })

function Nothing({ pending }: { pending: boolean }) {
  if (pending) return <SkeletonRows rows={6} height={59} columns="minmax(0, 1fr)" />
  return (
    <Typography color="textSecondary" sx={{ px: 2, py: 1.5 }}>
      <Trans>Nothing but visits of others lately.</Trans>
    </Typography>
  )
}

function Where({ at, workspaceId, name }: { at: string; workspaceId: number; name: string | undefined }) {
  return (
    <Trans>
      <Time relative at={at} /> in <Link to={paths.workspace(workspaceId)}>{name}</Link>
    </Trans>
  )
}
