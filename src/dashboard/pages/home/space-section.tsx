import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import type { Space } from './spaces.ts'
import { WorkspaceRow } from './workspace-row.tsx'

export function SpaceSection({ space }: { space: Space }) {
  const headingId = useId()
  const { team, workspaces, mayOpenTeam } = space
  return (
    <section aria-labelledby={headingId}>
      <Typography id={headingId} variant="h3" component="h2" sx={{ px: 0.5, pb: 1 }}>
        {mayOpenTeam ? <TeamLink team={team} /> : team.name}
      </Typography>
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        {workspaces.length === 0 && (
          <Typography color="textSecondary" sx={{ px: 2, py: 1.5 }}>
            <Trans>No workspace in this team yet.</Trans>
          </Typography>
        )}
        <List>
          {workspaces.map((workspace) => (
            <WorkspaceRow key={workspace.id} workspace={workspace} />
          ))}
        </List>
      </Paper>
    </section>
  )
}

function TeamLink({ team: { id, name } }: Pick<Space, 'team'>) {
  return (
    <ToTeam to={paths.team(id)}>
      {name}
      <ChevronRight size={15} aria-hidden />
    </ToTeam>
  )
}

const ToTeam = styled(Link)({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  color: 'inherit',
  '&:not(:hover)': { textDecoration: 'none' },
})

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 })
