import { i18n } from '@lingui/core'
import IconButton from '@mui/material/IconButton'
import { shortcutText } from '../../../shared/actions/shortcut.ts'
import { viewActionsOf, type ViewAction } from './viewer-actions.ts'
import type { Viewer } from './use-viewer.ts'

interface ActionButtonsProps {
  viewer: Viewer
  place: Parameters<typeof viewActionsOf>[0]
  /** Large enough for fingers. */
  large?: boolean
}

export function ActionButtons({ viewer, place, large = false }: ActionButtonsProps) {
  return viewActionsOf(place).map((action) => (
    <ActionButton key={action.id} action={action} viewer={viewer} large={large} />
  ))
}

interface ActionButtonProps extends Pick<ActionButtonsProps, 'viewer' | 'large'> {
  action: ViewAction
}

export function ActionButton({ action, viewer, large = false }: ActionButtonProps) {
  const { icon: Icon, shortcut } = action
  const label = i18n._(action.label)
  const hint = shortcut && !large ? `${label} (${shortcutText(shortcut)})` : label
  const pressed = action.id === 'thumbnails' || action.id === 'versions' ? viewer.panels[action.id] : undefined
  const size = large ? 48 : 32
  return (
    <IconButton
      aria-label={label}
      title={hint}
      aria-pressed={pressed}
      disabled={!action.may(viewer.situation, undefined)}
      onClick={() => action.run(viewer.commands, undefined)}
      sx={{ width: size, height: size, bgcolor: pressed ? 'selection.item' : undefined }}
    >
      <Icon size={large ? 22 : 18} />
    </IconButton>
  )
}
