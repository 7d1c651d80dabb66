import { FolderLock } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'

export function NoSpaces({ mayCreateTeams }: { mayCreateTeams: boolean }) {
  return mayCreateTeams ? (
    <EmptyState
      icon={FolderLock}
      title="Start with a team"
      text="Workspaces belong to a team. Create one, then a workspace in it."
    />
  ) : (
    <EmptyState
      icon={FolderLock}
      title="No workspace is open to you yet"
      text="When someone gives you access to a workspace, you find it here and get an e-mail."
    />
  )
}
