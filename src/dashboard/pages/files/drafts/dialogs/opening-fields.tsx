import { t } from '@lingui/core/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { MOST_PLANNED_DAYS } from '../../../../../contract/endpoints/deal/drafts.ts'
import { DateField } from '../../../../ui/fields/date-field.tsx'
import { instantOf, wallClockOf, type WallClock, zoneName } from './opening-time.ts'

export interface Opening extends WallClock {
  isPlanned: boolean
}

const DAY_MS = 24 * 3600_000
const lastInstant = () => Date.now() + MOST_PLANNED_DAYS * DAY_MS
const firstDay = () => wallClockOf(new Date()).day
const lastDay = () => wallClockOf(new Date(lastInstant())).day

/** Why nothing can be planned for this time; undefined if it can. */
export function refusalOf(opening: WallClock): string | undefined {
  const instant = instantOf(opening)
  if (instant === undefined) return t`Choose a day and a time.`
  if (Date.parse(instant) <= Date.now()) return t`This time has passed.`
  return Date.parse(instant) > lastInstant() ? t`Choose a time within a year.` : undefined
}

interface OpeningFieldsProps {
  value: Opening
  onChange: (value: Opening) => void
}

/** Whether drafts are published now or at a time, which is in the person's own time zone. */
export function OpeningFields({ value, onChange }: OpeningFieldsProps) {
  const { isPlanned, day, time } = value
  const refused = isPlanned ? refusalOf(value) : undefined
  return (
    <div>
      <RadioGroup
        row
        aria-label={t`When to publish`}
        value={isPlanned ? 'planned' : 'now'}
        onChange={(_event, when) => onChange({ ...value, isPlanned: when === 'planned' })}
      >
        <FormControlLabel value="now" control={<Radio size="small" />} label={t`Publish now`} />
        <FormControlLabel value="planned" control={<Radio size="small" />} label={t`At a time`} />
      </RadioGroup>
      {isPlanned && (
        <Fields>
          <DateField
            label={t`Day`}
            value={day}
            min={firstDay()}
            max={lastDay()}
            onChange={(next) => onChange({ ...value, day: next })}
          />
          <TextField
            type="time"
            label={t`Time`}
            value={time}
            onChange={(event) => onChange({ ...value, time: event.target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          <Typography
            variant="caption"
            className="zone"
            color={refused === undefined ? 'textSecondary' : 'error'}
            aria-live="polite"
          >
            {refused ?? t`In your time zone: ${zoneName()}`}
          </Typography>
        </Fields>
      )}
    </div>
  )
}

const Fields = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '12px',
  paddingTop: 8,
  '> :nth-of-type(1)': { width: 170 },
  '> :nth-of-type(2)': { width: 130 },
  '.zone': { flex: '1 1 180px' },
})
