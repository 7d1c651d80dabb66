import { msg, t } from '@lingui/core/macro'
import { Eye, UsersRound } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../../paths.ts'
import { ActionMenu } from '../../../shared/actions/action-menu.tsx'
import type { GridGroup } from './grid-row.tsx'

export interface CellMenuPlace {
  at: { left: number; top: number }
  folderId: number
  group: GridGroup
}

interface CellMenuProps extends CellMenuPlace {
  workspaceId: number
  onWho: (folderId: number) => void
  onClose: () => void
}

/** What an admin may look at from a cell: the folder as the group sees it, and everybody who sees it. */
export function CellMenu({ at, folderId, group: { id, name }, workspaceId, onWho, onClose }: CellMenuProps) {
  const navigate = useNavigate()
  const view = {
    id: 'view-as',
    label: msg`View as ${name}`,
    icon: Eye,
    run: () => void navigate(paths.viewAs(workspaceId, { group: id }, folderId)),
  }
  const who = { id: 'who', label: msg`Who can see this?`, icon: UsersRound, run: () => onWho(folderId) }
  return (
    <ActionMenu
      at={at}
      label={t`Actions for ${name}`}
      actions={[view, who]}
      withShortcuts={false}
      onRun={(action) => action.run()}
      onClose={onClose}
    />
  )
}
