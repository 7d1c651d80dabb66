import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Ellipsis } from 'lucide-react'
import type { Action } from '../actions.ts'

interface DetailsActionsProps {
  /** The first action is the main button and the second stands beside it; the menu has the rest. */
  actions: readonly Action[]
  onRun: (action: Action) => void
  onMenu: (at: { left: number; top: number }) => void
  /** What is to be known about them. */
  note: string | undefined
}

export function DetailsActions({ actions, onRun, onMenu, note }: DetailsActionsProps) {
  if (actions.length === 0) return null
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {actions.slice(0, 2).map((action, at) => (
        <Button
          key={action.id}
          variant={at === 0 ? 'contained' : 'outlined'}
          startIcon={<action.icon size={16} />}
          onClick={() => onRun(action)}
        >
          {i18n._(action.label)}
        </Button>
      ))}
      {actions.length > 2 && (
        <IconButton
          aria-label={t`More actions`}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            onMenu({ left, top: bottom })
          }}
        >
          <Ellipsis size={18} />
        </IconButton>
      )}
      {note && (
        <Typography variant="caption" color="textSecondary">
          {note}
        </Typography>
      )}
    </Stack>
  )
}

/** Buttons that move a line up or down, beside its place among its siblings. */
export function OrderButtons({ actions, onRun }: Pick<DetailsActionsProps, 'actions' | 'onRun'>) {
  return actions.map((action) => (
    <IconButton
      key={action.id}
      aria-label={i18n._(action.label)}
      onClick={() => onRun(action)}
      sx={{ p: 0.25, ml: 0.5 }}
    >
      <action.icon size={15} />
    </IconButton>
  ))
}
