import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'

/** Replaces a small part of a page that could not be read; `ErrorState` is for larger parts. */
export function NotRead({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Box role="alert" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Typography color="error">{reason}</Typography>
      <Button size="small" onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </Box>
  )
}
