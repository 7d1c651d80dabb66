import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import { GraduationCap } from 'lucide-react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import type { Question } from '../questions.ts'

/** Says that a question waits for experts, and for whom. */
export function WithExpert({ experts }: Pick<Question, 'experts'>) {
  const names = experts.map(({ name }) => name).join(', ')
  return (
    <Chip
      size="small"
      variant="outlined"
      icon={<GraduationCap size={13} aria-hidden />}
      label={
        <>
          {t`With expert`}
          <VisuallyHidden>: {names}</VisuallyHidden>
        </>
      }
      title={names}
      sx={{ flexShrink: 0, color: 'tint.text', cursor: 'inherit', '& .MuiChip-icon': { color: 'inherit', ml: '7px' } }}
    />
  )
}
