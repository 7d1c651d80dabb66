import { t } from '@lingui/core/macro'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import type { View } from '../questions.ts'

interface ViewChoiceProps {
  admin: boolean
  /** Questions were passed to the person. */
  passed: boolean
  /** An admin looks at it. */
  isSeen?: boolean
  value: View
  onChange: (view: View) => void
}

/** Admins have a board beside the list, experts what was passed to them; the FAQ is for everybody. */
export function ViewChoice({ admin, passed, isSeen = false, value, onChange }: ViewChoiceProps) {
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      aria-label={t`View`}
      value={value}
      onChange={(_, next: View | null) => next && onChange(next)}
      sx={{ '.MuiToggleButton-root': { height: 36, px: 1.5, textTransform: 'none', fontSize: '0.8125rem' } }}
    >
      {passed && <ToggleButton value="passed">{isSeen ? t`For this person` : t`For you`}</ToggleButton>}
      <ToggleButton value="list">{t`List`}</ToggleButton>
      {admin && <ToggleButton value="board">{t`Board`}</ToggleButton>}
      <ToggleButton value="faq">{t`FAQ`}</ToggleButton>
    </ToggleButtonGroup>
  )
}
