import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { inWords } from '../../api/service-words.ts'
import { paths } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { latestOf, liveliest } from './latest.ts'
import type { EnterableWorkspace } from './spaces.ts'

/** The latest of the liveliest workspaces; an aid to memory, so it stays away until there is something to show. */
export function RecentActivity({ workspaces }: { workspaces: readonly EnterableWorkspace[] }) {
  const answers = useQueries({
    queries: liveliest(workspaces).map(({ id }) =>
      read(api.activities.list, { params: { workspace_id: id }, query: { per_page: 25 } }),
    ),
  })
  const latest = latestOf(answers.flatMap(({ data }) => data?.events ?? []))
  const nameOf = (id: number) => workspaces.find((workspace) => workspace.id === id)?.name
  if (latest.length === 0) return null
  return (
    <Aside aria-label={t`Recent activity`}>
      <Typography variant="h3" component="h2" sx={{ px: 0.5, pb: 1 }}>
        <Trans>Recent activity</Trans>
      </Typography>
      <Paper variant="outlined">
        <List>
          {latest.map(({ id, user_name, message, workspace_id, created_at }) => (
            <li key={id}>
              <Typography sx={{ overflowWrap: 'anywhere', lineHeight: 1.4 }}>
                <strong>{user_name}</strong> {inWords(message)}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                <Where at={created_at} workspaceId={workspace_id} name={nameOf(workspace_id)} />
              </Typography>
            </li>
          ))}
        </List>
      </Paper>
    </Aside>
  )
}

function Where({ at, workspaceId, name }: { at: string; workspaceId: number; name: string | undefined }) {
  return (
    <Trans>
      <Time relative at={at} /> in <Link to={paths.workspace(workspaceId)}>{name}</Link>
    </Trans>
  )
}

const Aside = styled('aside')({ flex: '1 1 316px', minWidth: 0, maxWidth: '100%' })

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': { padding: '10px 16px' },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& strong': { fontWeight: 600 },
  '& a': { color: 'inherit' },
}))
