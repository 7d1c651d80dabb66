import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { number } from '../../ui/words/format.ts'
import type { TeamInfo } from './team-info.ts'

/** The settings that members can change, for a user who may only look at them. */
export function TeamFacts({ team }: { team: TeamInfo }) {
  const workspaces = number(team.allowed_workspaces)
  const admins = number(team.allowed_admins)
  return (
    <List>
      <dt>{t`Name`}</dt>
      <dd>{team.name}</dd>
      <dt>{t`Workspaces at most`}</dt>
      <dd>{t`${workspaces} in the whole team`}</dd>
      <dt>{t`Admins at most`}</dt>
      <dd>{t`${admins} in each workspace`}</dd>
    </List>
  )
}

const List = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '8px 20px',
  margin: 0,
  fontSize: '0.8125rem',
  dt: { color: theme.vars.palette.text.secondary },
  dd: { margin: 0, overflowWrap: 'anywhere' },
}))
