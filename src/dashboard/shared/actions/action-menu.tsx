import { i18n } from '@lingui/core'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ShownAction } from './action.ts'
import { shortcutText } from './shortcut.ts'

interface ActionMenuProps<A extends ShownAction> {
  /** The position on the screen, in pixels; undefined while the menu is closed. */
  at: { left: number; top: number } | undefined
  label: string
  actions: readonly A[]
  /** False where there is no keyboard. */
  withShortcuts: boolean
  /** Called once the menu is closed and has given back the keyboard, which the action may take. */
  onRun: (action: A) => void
  onClose: () => void
}

export function ActionMenu<A extends ShownAction>(props: ActionMenuProps<A>) {
  const { at, label, actions, withShortcuts, onRun, onClose } = props
  const run = (action: A) => {
    flushSync(onClose)
    onRun(action)
  }
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
      {actions.flatMap((action, place) => [
        action.divided && place > 0 && <Divider key={`${action.id}-divider`} component="li" />,
        <MenuItem
          key={action.id}
          onClick={() => run(action)}
          sx={{ color: action.danger ? 'error.main' : undefined, minWidth: 200 }}
        >
          <action.icon size={16} aria-hidden />
          <span style={{ flex: 1 }}>{i18n._(action.label)}</span>
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
