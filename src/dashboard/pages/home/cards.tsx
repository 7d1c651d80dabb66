import { styled } from '@mui/material/styles'
import type { WorkspaceNews } from './news.ts'
import type { EnterableWorkspace } from './spaces.ts'
import type { Stored } from './team-usage.ts'
import { WorkspaceCard } from './workspace-card.tsx'

interface CardsProps {
  workspaces: readonly EnterableWorkspace[]
  news: ReadonlyMap<number, WorkspaceNews>
  /** For owners of the team. */
  storedIn?: ((workspaceId: number) => Stored) | undefined
}

export function Cards({ workspaces, news, storedIn }: CardsProps) {
  return (
    <Grid>
      {workspaces.map((workspace) => (
        <WorkspaceCard
          key={workspace.id}
          workspace={workspace}
          news={news.get(workspace.id)}
          stored={workspace.admin ? storedIn?.(workspace.id) : undefined}
        />
      ))}
    </Grid>
  )
}

const Grid = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 340px), 1fr))',
  gap: 12,
  margin: 0,
  padding: 0,
  listStyle: 'none',
})
