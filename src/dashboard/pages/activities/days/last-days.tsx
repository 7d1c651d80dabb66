import { plural, t } from '@lingui/core/macro'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { firstOfLast } from '../../../ui/words/local-day.ts'

const PERIODS = [1, 7, 30]

interface LastDaysProps {
  from: string
  to: string
  onChange: (from: string) => void
}

/** Chooses today, or the last days until today; pressed again, all days. */
export function LastDays({ from, to, onChange }: LastDaysProps) {
  const chosen = to === '' ? PERIODS.find((days) => firstOfLast(days) === from) : undefined
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      aria-label={t`Last days`}
      value={chosen ?? null}
      onChange={(_, days: number | null) => onChange(days === null ? '' : firstOfLast(days))}
      sx={{
        '.MuiToggleButton-root': {
          height: 34,
          px: 0.5,
          flex: 'auto',
          textTransform: 'none',
          whiteSpace: 'nowrap',
          fontSize: '0.75rem',
        },
      }}
    >
      {PERIODS.map((days) => (
        <ToggleButton key={days} value={days}>
          {days === 1 ? t`Today` : plural(days, { one: '# day', other: '# days' })}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
