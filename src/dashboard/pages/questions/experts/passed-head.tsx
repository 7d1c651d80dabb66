import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { HideButton } from '../thread/panel.tsx'
import { StatusChip } from '../thread/status-chip.tsx'
import { isLate, type PassedThread, seenLook, stateLook } from './experts.ts'

interface PassedHeadProps {
  thread: PassedThread
  /** An admin looks at it. */
  isSeen?: boolean
  onClose: () => void
}

/** State and subject of a question that was passed to an expert. */
export const PassedHead = ({ thread, isSeen = false, onClose }: PassedHeadProps) => (
  <>
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <StatusChip look={isSeen ? seenLook(thread.state) : stateLook(thread.state)} />
      {isLate(thread) && <Chip size="small" color="error" variant="outlined" label={t`Overdue`} />}
      <HideButton onClick={onClose} />
    </Box>
    <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
      {thread.subject}
    </Typography>
  </>
)
