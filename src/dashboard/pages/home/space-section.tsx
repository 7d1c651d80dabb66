import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight, Plus } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { paths } from '../../paths.ts'
import { type Stored, usageWords, useTeamUsage } from './team-usage.ts'
import type { WorkspaceNews } from './news.ts'
import type { Space } from './spaces.ts'
import { SectionTitle } from './aside.tsx'
import { Cards } from './cards.tsx'

interface SpaceSectionProps {
  space: Space
  news: ReadonlyMap<number, WorkspaceNews>
  onCreateWorkspace: () => void
}

export function SpaceSection({ space, news, onCreateWorkspace }: SpaceSectionProps) {
  const headingId = useId()
  const { team, workspaces, mayOpenTeam } = space
  const { name } = team
  const usage = useTeamUsage(team)
  const storedIn = (id: number): Stored => usage?.administered.find((each) => each.workspace_id === id) ?? null
  return (
    <section aria-labelledby={headingId}>
      <Head>
        <SectionTitle id={headingId}>{mayOpenTeam ? <TeamLink team={team} /> : team.name}</SectionTitle>
        {team.owner && (
          <Typography variant="caption" color="textSecondary">
            {usage && usageWords(usage)}
          </Typography>
        )}
      </Head>
      {workspaces.length === 0 ? (
        <Empty variant="outlined">
          <Trans>No workspace of this team that you can enter.</Trans>
          <Button aria-label={t`New workspace in ${name}`} startIcon={<Plus size={16} />} onClick={onCreateWorkspace}>
            <Trans>New workspace</Trans>
          </Button>
        </Empty>
      ) : (
        <Cards workspaces={workspaces} news={news} storedIn={team.owner ? storedIn : undefined} />
      )}
    </section>
  )
}

/** Keeps room for what the team uses: it arrives later, and a long name must not wrap anew. */
const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: '0 16px',
  '& > span': { flex: '0 0 36em', paddingBottom: 8, minHeight: '1.66em', textAlign: 'right' },
  [theme.breakpoints.down('lg')]: {
    display: 'block',
    '& > span': { display: 'block', paddingLeft: 4, textAlign: 'left' },
  },
}))

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
  overflowWrap: 'anywhere',
  '& > svg': { flex: 'none' },
})

const Empty = styled(Paper)(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  minHeight: 56,
  padding: '8px 16px',
  color: theme.vars.palette.text.secondary,
}))
