import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { DateField } from '../../ui/date-field.tsx'
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.ts'

interface DateSettingProps {
  label: string
  /** The date in force, or "" for none. */
  value: string
  /** What is offered where none is in force yet. */
  proposal?: string
  /** First date that is accepted. */
  min: string
  tooEarly: string
  /** What a date does, shown before it is set and while it is in force. */
  renderEffect?: (date: string) => ReactNode
  onSet: (date: string) => void
  onRemove?: (() => void) | undefined
}

/** A date that takes effect when it is confirmed: half-typed dates are dates too. */
export function DateSetting({
  label,
  value,
  proposal = '',
  min,
  tooEarly,
  renderEffect,
  onSet,
  onRemove,
}: DateSettingProps) {
  const [draft, setDraft] = useState(value || proposal)
  const changed = draft !== value
  useUnsavedChanges(draft !== (value || proposal))
  // Browsers let one type years of six digits.
  const acceptable = draft >= min && draft.length === min.length
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (changed && acceptable) onSet(draft)
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.25, pl: '50px', pt: 1.5 }}>
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ width: 170 }}>
          <DateField
            label={label}
            value={draft}
            min={min}
            error={changed && draft !== '' && !acceptable ? tooEarly : undefined}
            onChange={setDraft}
          />
        </Box>
        {changed && (
          <Button type="submit" variant="contained" disabled={!acceptable} sx={{ mt: 0.5 }}>
            <Trans context="date">Set</Trans>
          </Button>
        )}
        {!changed && value !== '' && onRemove && (
          <Button onClick={onRemove} sx={{ mt: 0.5 }}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </Box>
      {draft !== '' && (acceptable || !changed) && renderEffect?.(draft)}
    </Box>
  )
}
