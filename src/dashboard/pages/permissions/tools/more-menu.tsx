import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Download, Eye, Layers2, MoreVertical, Upload, UsersRound } from 'lucide-react'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { paths } from '../../../paths.ts'
import { saveCsv } from '../../../ui/words/csv.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { GridGroup } from '../grid/grid-row.tsx'

interface MoreMenuProps {
  workspaceId: number
  workspaceName: string
  groups: readonly GridGroup[]
  isStaging: boolean
  onStaging: (isStaging: boolean) => void
  onWho: () => void
  onImport: () => void
}

/** The less frequent actions of an admin on the rights of a workspace. */
export function MoreMenu(props: MoreMenuProps) {
  const { workspaceId, workspaceName, groups, isStaging, onStaging, onWho, onImport } = props
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  const navigate = useNavigate()
  const toasts = useToasts()
  const exportAll = async (asMatrix: boolean) => {
    const [matrix, { formatMatrix, formatPermissions }] = await Promise.all([
      call(api.permissions.matrix, { query: { workspace_id: workspaceId } }),
      import('./permissions-file.ts'),
    ])
    const name = t`${workspaceName} permissions`
    saveCsv(`${name}.csv`, (asMatrix ? formatMatrix : formatPermissions)(matrix))
  }
  const save = (asMatrix: boolean) =>
    void exportAll(asMatrix).catch((failure: unknown) => toasts.failed(messageOf(failure)))
  const staging = {
    label: isStaging ? t`Show today’s access` : t`Stage changes, publish them together`,
    icon: Layers2,
    run: () => onStaging(!isStaging),
  }
  /** All of these are about today's access. */
  const today = [
    { label: t`Who can see All Folders?`, icon: UsersRound, run: onWho },
    ...groups.map(({ id: group, name }) => ({
      label: t`View as ${name}`,
      icon: Eye,
      run: () => void navigate(paths.viewAs(workspaceId, { group })),
    })),
    { label: t`Export as CSV`, icon: Download, run: () => save(false) },
    { label: t`Export with a column for each group`, icon: Download, run: () => save(true) },
    { label: t`Import from CSV…`, icon: Upload, run: onImport },
  ]
  const items = isStaging ? [staging] : [staging, ...today]
  return (
    <>
      <IconButton
        aria-label={t`More`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? id : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertical size={18} />
      </IconButton>
      <Menu id={id} anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {items.map(({ label, icon: Icon, run }) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null)
              run()
            }}
          >
            <ListItemIcon>
              <Icon size={17} />
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
