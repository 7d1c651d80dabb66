import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { X } from 'lucide-react'
import { messageOf } from '../../../api/failures.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'

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

interface UnreadPanelProps {
  /** Why the question could not be read; none while it is read. */
  error: Error | null
  onRetry: () => void
  onClose: () => void
}

/** The panel of a question of which nothing is known yet. */
export const UnreadPanel = ({ error, onRetry, onClose }: UnreadPanelProps) => (
  <Panel aria-label={t`Question`}>
    <HideButton onClick={onClose} />
    {error ? <ErrorState message={messageOf(error)} onRetry={onRetry} /> : <SkeletonRows height={56} />}
  </Panel>
)

export function HideButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton aria-label={t`Hide the question`} onClick={onClick} sx={{ ml: 'auto' }}>
      <X size={18} />
    </IconButton>
  )
}
