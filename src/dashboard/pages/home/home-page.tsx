import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import { Building2, Plus, UsersRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { api } from '../../../contract/index.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { newsCounts } from '../../shared/news/news-counts.ts'
import { useMe } from '../../shared/session.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { usePainted } from '../../ui/use-painted.ts'
import { withTexts } from '../../ui/words/language.ts'
import { Opening } from '../../ui/states/opening.tsx'
import { Aside } from './aside.tsx'
import { Favourites } from './favourites.tsx'
import { ExpiringSoon } from './expiring-soon.tsx'
import { expirationsQuery } from './news.ts'
import { NoSpaces } from './no-spaces.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { RecentlyViewed } from './recently-viewed.tsx'
import { type EnterableWorkspace, spacesOf, type Team } from './spaces.ts'
import { SpaceSection } from './space-section.tsx'
import { isTask, tasksOf } from './tasks.ts'
import { ToDo } from './to-do.tsx'

// Loaded after the page is shown.
const FirstArrivals = lazy(async () => ({ default: (await import('./first-arrivals.tsx')).FirstArrivals }))
// Loaded on demand: most visits create nothing.
const CreateTeamDialog = lazy(async () => ({ default: (await import('./create-team-dialog.tsx')).CreateTeamDialog }))
const CreateWorkspaceDialog = lazy(
  withTexts('administration', async () => ({
    default: (await import('./new-workspace/create-workspace-dialog.tsx')).CreateWorkspaceDialog,
  })),
)

export const loader = () => prefetch(read(api.users.workspaces), read(api.teams.list), expirationsQuery(), newsCounts())

type Creating = { what: 'team' } | { what: 'workspace'; teamId: number }

/** Every workspace that the user can enter, by team, with buttons to create new ones. */
export function HomePage() {
  const { workspaces } = useRead(read(api.users.workspaces))
  const teams = useRead(read(api.teams.list))
  const news = useRead(newsCounts()).workspaces
  const { expirations } = useRead(expirationsQuery())
  const newsById = new Map(news.map((each) => [each.workspace_id, each]))
  const { id: userId, organization_admin: administers } = useMe()
  const spaces = spacesOf(workspaces, teams)
  const ownTeams = teams.filter(({ owner, member }) => owner || member)
  const [query, setQuery] = useSearchParams()
  const like = workspaces.find(({ id, admin }) => admin && String(id) === query.get('like'))
  const [creating, setCreating] = useState<Creating | undefined>(like && likeIn(like, ownTeams))
  const painted = usePainted(true)
  const close = () => {
    setCreating(undefined)
    if (query.size > 0) setQuery({}, { replace: true })
  }
  return (
    <Box sx={{ maxWidth: 1600, height: spaces.length === 0 ? '100%' : 'auto' }}>
      <PageHeader title={t`Spaces`}>
        {administers && (
          <>
            <ButtonLink to={paths.organization()} startIcon={<Building2 size={16} />}>
              <Trans>Organization</Trans>
            </ButtonLink>
            <Button
              variant="outlined"
              startIcon={<UsersRound size={16} />}
              onClick={() => setCreating({ what: 'team' })}
            >
              <Trans>New team</Trans>
            </Button>
          </>
        )}
        {ownTeams.length > 0 && (
          <Button
            variant="contained"
            startIcon={<Plus size={16} />}
            onClick={() => setCreating({ what: 'workspace', teamId: ownTeams[0]?.id ?? 0 })}
          >
            <Trans>New workspace</Trans>
          </Button>
        )}
      </PageHeader>
      {spaces.length === 0 ? (
        <NoSpaces mayCreateTeams={administers} />
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2, p: 2, pt: 0.5 }}>
          <Box
            sx={{ flex: '999 1 520px', minWidth: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}
          >
            <ToDo tasks={tasksOf({ workspaces, news, expirations, userId })} />
            <Favourites workspaces={workspaces.filter(({ favourite }) => favourite)} news={newsById} />
            {spaces.map((space) => (
              <SpaceSection
                key={space.team.id}
                space={space}
                news={newsById}
                onCreateWorkspace={() => setCreating({ what: 'workspace', teamId: space.team.id })}
              />
            ))}
          </Box>
          {workspaces.length > 0 && (
            <Aside>
              <ExpiringSoon expirations={expirations.filter((each) => !isTask(each, workspaces))} />
              <RecentActivity workspaces={workspaces} />
              <RecentlyViewed workspaces={workspaces} />
              <Suspense>{painted && <FirstArrivals workspaces={workspaces} />}</Suspense>
            </Aside>
          )}
        </Box>
      )}
      <Suspense fallback={<Opening onClose={close} />}>
        {creating?.what === 'team' && <CreateTeamDialog onClose={close} />}
        {creating?.what === 'workspace' && (
          <CreateWorkspaceDialog
            teams={ownTeams}
            workspaces={workspaces}
            first={creating.teamId}
            like={like?.id}
            onClose={close}
          />
        )}
      </Suspense>
    </Box>
  )
}

/** In the team of the model, if the user is a member. */
const likeIn = ({ team_id }: EnterableWorkspace, teams: readonly Team[]): Creating | undefined => {
  const team = teams.find(({ id }) => id === team_id) ?? teams[0]
  return team && { what: 'workspace', teamId: team.id }
}

export { HomePage as Component }
