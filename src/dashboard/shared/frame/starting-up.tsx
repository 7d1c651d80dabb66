import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'

/** Before the first page: quiet, because it rarely lasts long enough to be read. */
export function StartingUp() {
  return <Box role="status" aria-label={t`Loading`} sx={{ height: '100%' }} />
}
