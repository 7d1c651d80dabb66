import { i18n } from '@lingui/core'
import Chip from '@mui/material/Chip'
import type { Look } from '../../../shared/asking/priorities.ts'

export function StatusChip({ look: { icon: Icon, label, colour } }: { look: Look }) {
  const background = 'color-mix(in srgb, currentColor 12%, transparent)'
  return (
    <Chip
      size="small"
      icon={<Icon size={13} aria-hidden />}
      label={i18n._(label)}
      sx={{ color: colour, background, '& .MuiChip-icon': { color: 'inherit', ml: '7px' } }}
    />
  )
}
