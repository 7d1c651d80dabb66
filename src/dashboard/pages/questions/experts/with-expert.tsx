import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import { GraduationCap } from 'lucide-react'
import type { Question } from '../questions.ts'

/** Says that a question waits for experts, and for whom. */
export function WithExpert({ experts }: Pick<Question, 'experts'>) {
  return (
    <Chip
      size="small"
      variant="outlined"
      icon={<GraduationCap size={13} aria-hidden />}
      label={t`With expert`}
      title={experts.map(({ name }) => name).join(', ')}
      sx={{ flexShrink: 0, color: 'tint.text', cursor: 'inherit', '& .MuiChip-icon': { color: 'inherit', ml: '7px' } }}
    />
  )
}
