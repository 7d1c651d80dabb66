import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { calendarDate } from '../../../ui/words/format.ts'
import { DayFilter } from './day-filter.tsx'
import { firstOfLast } from '../../../ui/words/local-day.ts'
import { MonthGrid } from './month-grid.tsx'

interface DayRangeProps {
  /** First and last day, `YYYY-MM-DD`, or "" for none. */
  from: string
  to: string
  onChange: (from: string, to: string) => void
}

/** Days from a first to a last one: typed, or picked one after the other from a month. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [picksEnd, setPicksEnd] = useState(false)
  const isBackwards = from !== '' && to !== '' && from > to
  const pick = (day: string) => {
    const ends = picksEnd && day >= from
    setPicksEnd(!ends)
    onChange(ends ? from : day, ends ? day : '')
  }
  return (
    <>
      <Button
        variant="outlined"
        color={isBackwards ? 'error' : 'inherit'}
        startIcon={<CalendarDays size={16} />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={(event) => {
          setPicksEnd(false)
          setAnchor(event.currentTarget)
        }}
        sx={({ vars }) => ({
          gridColumn: 'span 2',
          justifySelf: 'start',
          height: 34,
          whiteSpace: 'nowrap',
          fontWeight: 400,
          '&.MuiButton-colorInherit': { borderColor: `rgba(${vars.palette.common.onBackgroundChannel} / 0.23)` },
        })}
      >
        {rangeWords(from, to)}
      </Button>
      <Popover
        open={anchor !== undefined}
        anchorEl={anchor ?? null}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t`Days`, sx: { mt: 0.5, p: 2 } } }}
      >
        <Fields>
          <DayFilter
            label={t`From`}
            value={from}
            max={to}
            error={isBackwards ? t`After the last day` : undefined}
            onChange={(day) => onChange(day, to)}
          />
          <DayFilter label={t`To`} value={to} min={from} onChange={(day) => onChange(from, day)} />
        </Fields>
        <MonthGrid from={from} to={to} today={firstOfLast(1)} onPick={pick} />
      </Popover>
    </>
  )
}

function rangeWords(from: string, to: string): string {
  const [first, last] = [from && calendarDate(from), to && calendarDate(to)]
  if (first !== '' && last !== '') return first === last ? first : `${first} – ${last}`
  if (first !== '') return t`Since ${first}`
  return last === '' ? t`Choose days` : t`Until ${last}`
}

const Fields = styled('div')({ display: 'grid', gridTemplateColumns: '140px 140px', gap: 12, paddingBottom: 8 })
