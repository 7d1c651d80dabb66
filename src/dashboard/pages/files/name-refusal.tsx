import Paper from '@mui/material/Paper'
import Popper from '@mui/material/Popper'
import { styled } from '@mui/material/styles'

interface NameRefusalProps {
  id: string
  /** The field below which it is said. */
  at: HTMLElement | null
  reason: string
}

/** Why a name was not taken, over the lines below. */
export function NameRefusal({ id, at, reason }: NameRefusalProps) {
  return (
    <Layer open anchorEl={at} placement="bottom-start">
      <Paper
        id={id}
        role="alert"
        elevation={4}
        // In the dark a shadow alone does not set it off from the lines.
        sx={{ mt: 0.5, px: 1.25, py: 0.75, maxWidth: 320, color: 'error.main', border: 1, borderColor: 'error.main' }}
      >
        {reason}
      </Paper>
    </Layer>
  )
}

const Layer = styled(Popper)(({ theme }) => ({ zIndex: theme.zIndex.tooltip }))
