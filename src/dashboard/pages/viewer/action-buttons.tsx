import { i18n } from '@lingui/core'
import IconButton from '@mui/material/IconButton'
import { memo } from 'react'
import { shortcutText } from '../../shared/actions/shortcut.ts'
import { useFinding } from './find/find-owner.tsx'
import { viewActionsOf, type ViewAction, type ViewCommands } from './viewer-actions.ts'
import { useViewerCommands } from './viewer-commands.tsx'
import { useSituation } from './viewer-sight.tsx'

interface ActionButtonsProps {
  place: Parameters<typeof viewActionsOf>[0]
  /** Large enough for fingers. */
  large?: boolean
}

export function ActionButtons({ place, large = false }: ActionButtonsProps) {
  return viewActionsOf(place).map((action) => <ActionButton key={action.id} action={action} large={large} />)
}

interface ActionButtonProps extends Pick<ActionButtonsProps, 'large'> {
  action: ViewAction
}

export function ActionButton({ action, large = false }: ActionButtonProps) {
  const situation = useSituation()
  const { commands, panels } = useViewerCommands()
  const { isOpen: find } = useFinding()
  const shown: Partial<Record<string, boolean>> = { ...panels, find }
  const disabled = !action.may(situation, undefined)
  return <Drawn action={action} commands={commands} pressed={shown[action.id]} disabled={disabled} large={large} />
}

interface DrawnProps {
  action: ViewAction
  commands: ViewCommands
  pressed: boolean | undefined
  disabled: boolean
  large: boolean
}

/** The situation changes with each page in view, but few buttons do. */
const Drawn = memo(function Drawn({ action, commands, pressed, disabled, large }: DrawnProps) {
  const { icon: Icon, shortcut } = action
  const label = i18n._(action.label)
  const hint = shortcut && !large ? `${label} (${shortcutText(shortcut)})` : label
  const size = large ? 48 : 32
  return (
    <IconButton
      aria-label={label}
      title={hint}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => action.run(commands, undefined)}
      sx={{ width: size, height: size, bgcolor: pressed ? 'selection.item' : undefined }}
    >
      <Icon size={large ? 22 : 18} />
    </IconButton>
  )
})
