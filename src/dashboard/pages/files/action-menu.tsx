import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { MouseEvent } from 'react'
import { shortcutText, type Action } from './actions.ts'

interface ActionMenuProps {
  /** Where it opens on the screen; undefined while it is closed. */
  at: { left: number; top: number } | undefined
  label: string
  actions: readonly Action[]
  /** Left out where there is no keyboard. */
  withShortcuts: boolean
  onRun: (action: Action) => void
  onClose: () => void
}

/** The actions for what was clicked, with their shortcuts. */
export function ActionMenu({ at, label, actions, withShortcuts, onRun, onClose }: ActionMenuProps) {
  return (
    <Menu
      open={at !== undefined && actions.length > 0}
      onClose={onClose}
      anchorReference="anchorPosition"
      anchorPosition={at ?? { left: 0, top: 0 }}
      transitionDuration={0}
      slotProps={{
        list: { 'aria-label': label, dense: true },
        // A right click beside the menu closes it instead of opening the browser's own.
        root: { onContextMenu: (event: MouseEvent) => (event.preventDefault(), onClose()) },
      }}
    >
      {actions.flatMap((action, at) => [
        action.divided && at > 0 && <Divider key={`${action.id}-divider`} component="li" />,
        <MenuItem
          key={action.id}
          onClick={() => onRun(action)}
          sx={{ color: action.danger ? 'error.main' : undefined, minWidth: 200 }}
        >
          <action.icon size={16} aria-hidden />
          <span style={{ flex: 1 }}>{action.label}</span>
          {withShortcuts && action.shortcut && (
            <Typography variant="caption" color="textSecondary" sx={{ pl: 3 }} aria-hidden>
              {shortcutText(action.shortcut)}
            </Typography>
          )}
        </MenuItem>,
      ])}
    </Menu>
  )
}
