import { t } from '@lingui/core/macro'
import { FolderLock } from 'lucide-react'
import { EmptyState } from '../../ui/states/empty-state.tsx'

export function NoSpaces({ mayCreateTeams }: { mayCreateTeams: boolean }) {
  return mayCreateTeams ? (
    <EmptyState
      icon={FolderLock}
      title={t`Start with a team`}
      text={t`Workspaces belong to a team. Create one, then a workspace in it.`}
    />
  ) : (
    <EmptyState
      icon={FolderLock}
      title={t`No workspace is open to you yet`}
      text={t`When someone gives you access to a workspace, you find it here.`}
    />
  )
}
