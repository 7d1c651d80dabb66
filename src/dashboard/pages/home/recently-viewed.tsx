import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReadings } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { useMe } from '../../shared/session.ts'
import { Time } from '../../ui/words/time.tsx'
import { AsideSection, Entries } from './aside.tsx'
import { liveliest, viewedOf } from './latest.ts'
import type { EnterableWorkspace } from './spaces.ts'

/** The files that the user viewed last, to go on where they stopped; hidden until there are any. */
export function RecentlyViewed({ workspaces }: { workspaces: readonly EnterableWorkspace[] }) {
  const { id: user_id } = useMe()
  const query = { user_id, verb: 'viewed', subject_type: 'Asset', page: 1, per_page: 25 } as const
  const answers = useReadings({
    queries: liveliest(workspaces).map(({ id }) => read(api.activities.list, { params: { workspace_id: id }, query })),
  })
  const viewed = viewedOf(answers.flatMap(({ data }) => data?.events ?? []))
  const nameOf = (id: number) => workspaces.find((workspace) => workspace.id === id)?.name
  if (viewed.length === 0) return null
  return (
    <AsideSection title={t`Recently viewed`}>
      <Entries>
        {viewed.map(({ file_id, title, workspace_id, at }) => (
          <li key={`${workspace_id} ${file_id}`}>
            <Typography sx={{ lineHeight: 1.4, fontWeight: 500 }}>
              <Link to={paths.view(workspace_id, file_id)}>{title}</Link>
            </Typography>
            <Typography variant="caption" color="textSecondary">
              <Trans>
                <Time relative at={at} /> in {nameOf(workspace_id)}
              </Trans>
            </Typography>
          </li>
        ))}
      </Entries>
    </AsideSection>
  )
}
