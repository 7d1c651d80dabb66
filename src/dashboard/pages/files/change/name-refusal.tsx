import { t } from '@lingui/core/macro'
import Paper from '@mui/material/Paper'
import Popper from '@mui/material/Popper'
import { styled } from '@mui/material/styles'

interface NameRefusalProps {
  id: string
  /** The field below which the reason is shown. */
  at: HTMLElement | null
  /** Undefined for a name that another entry has, which is allowed. */
  reason: string | undefined
}

/** Says why a name was refused, on top of the lines below the field. */
export function NameRefusal({ id, at, reason }: NameRefusalProps) {
  return (
    <Layer open anchorEl={at} placement="bottom-start">
      <Paper
        id={id}
        role="alert"
        elevation={4}
        // In dark mode a shadow alone does not set the box off from the lines.
        sx={{ mt: 0.5, px: 1.25, py: 0.75, maxWidth: 320, color: 'error.main', border: 1, borderColor: 'error.main' }}
      >
        {reason ?? t`Another one here has this name. Press Enter again to keep both.`}
      </Paper>
    </Layer>
  )
}

const Layer = styled(Popper)(({ theme }) => ({ zIndex: theme.zIndex.tooltip }))
