import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { X } from 'lucide-react'

/** The chosen question beside the list, or instead of it where there is no room for both. */
export const Panel = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 14,
  width: 540,
  flexShrink: 0,
  padding: 16,
  overflowY: 'auto',
  borderLeft: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  [theme.breakpoints.down('lg')]: { width: '100%', flexShrink: 1, borderLeft: 0 },
}))

export function HideButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton aria-label={t`Hide the question`} onClick={onClick} sx={{ ml: 'auto' }}>
      <X size={18} />
    </IconButton>
  )
}
