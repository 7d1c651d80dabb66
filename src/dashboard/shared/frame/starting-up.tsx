import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'

/** Shown before the first page; empty, because it is rarely visible long enough to be read. */
export function StartingUp() {
  return <Box role="status" aria-label={t`Loading`} sx={{ height: '100%' }} />
}
