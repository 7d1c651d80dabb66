import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { type FocusEvent, useState } from 'react'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { DateField } from '../../../ui/fields/date-field.tsx'

interface DueDateProps {
  value: string | null
  onSet: (day: string | null, onStored: () => void) => void
}

/** Stores the date when the field is left or Enter is pressed, because half-typed dates are valid dates too. */
export function DueDate({ value, onSet }: DueDateProps) {
  const draft = useDraft({ day: value ?? '' })
  const { day } = draft.values
  const isChanged = draft.changed.length > 0
  useUnsavedChanges(isChanged)
  // Leaving the field after Enter sends nothing again. Coming back does, where the first was refused.
  const [sent, setSent] = useState<string>()
  const store = () => {
    if (!isChanged || day === sent || (day !== '' && !isOfNow(day))) return
    setSent(day)
    onSet(day || null, () => draft.saved({ day }))
  }
  const leave = ({ target }: FocusEvent<HTMLElement>) => {
    // A date of which parts are missing is reported as "".
    const isPart = target instanceof HTMLInputElement && target.validity.badInput
    if (isPart || (day !== '' && !isOfNow(day))) draft.drop('day')
    else store()
  }
  return (
    <Box
      onFocus={() => setSent(undefined)}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && store()}
      sx={{ display: 'grid' }}
    >
      <DateField
        label={t`Due`}
        value={day}
        onChange={(next) => {
          setSent(undefined)
          draft.set({ day: next })
        }}
      />
    </Box>
  )
}

const isOfNow = (day: string) => /^20\d\d-/.test(day)
