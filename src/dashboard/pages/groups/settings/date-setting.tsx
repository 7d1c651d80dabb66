import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode, SubmitEvent } from 'react'
import { DateField } from '../../../ui/fields/date-field.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import { Meanwhile } from '../../../ui/states/meanwhile.tsx'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'

interface DateSettingProps {
  label: string
  value: string | null
  /** Suggested while no date is in force. It is not stored until the user sets it. */
  proposal?: string
  /** First date that is accepted. */
  min: string
  tooEarly: string
  /** Shows what a date does, before it is set and while it is in force. */
  renderEffect?: (date: string) => ReactNode
  onSet: (date: string, onDone: () => void) => void
  onRemove?: (onDone: () => void) => void
  /** Closes the setting while no date is in force. */
  onCancel?: () => void
}

/** A date that takes effect only when it is confirmed, because half-typed dates are valid dates too. */
export function DateSetting({
  label,
  value: inForce,
  proposal = '',
  min,
  tooEarly,
  renderEffect,
  onSet,
  onRemove,
  onCancel,
}: DateSettingProps) {
  const value = inForce ?? ''
  const draft = useDraft({ day: value || proposal })
  const { day } = draft.values
  const changed = day !== value
  const isProposed = value === '' && day !== ''
  useUnsavedChanges(draft.changed.length > 0 || isProposed)
  // Browsers accept years of six digits.
  const acceptable = day >= min && day.length === min.length
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (changed && acceptable) onSet(day, () => draft.saved({ day }))
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.25, pl: '50px', pt: 1.5 }}>
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ width: 170 }}>
          <DateField
            label={label}
            value={day}
            min={min}
            error={changed && day !== '' && !acceptable ? tooEarly : undefined}
            onChange={(next) => draft.set({ day: next })}
          />
        </Box>
        {changed && day !== '' && (
          <Button type="submit" variant="contained" disabled={!acceptable} sx={{ mt: 0.5 }}>
            <Trans context="date">Set</Trans>
          </Button>
        )}
        {value === '' && onCancel && (
          <Button onClick={onCancel} sx={{ mt: 0.5 }}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        {(!changed || day === '') && value !== '' && onRemove && (
          <Button onClick={() => onRemove(() => draft.drop('day'))} sx={{ mt: 0.5 }}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </Box>
      {isProposed && (
        <Typography variant="caption" color="warning" sx={{ fontWeight: 500 }}>
          <Trans>Not stored yet. It applies once you press Set.</Trans>
        </Typography>
      )}
      {draft.overtaken.length > 0 && (
        <Typography variant="caption" color="textSecondary">
          <Meanwhile value={value && calendarDate(value)} onTake={() => draft.drop('day')} />
        </Typography>
      )}
      {day !== '' && (acceptable || !changed) && renderEffect?.(day)}
    </Box>
  )
}
