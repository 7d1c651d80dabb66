import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import { formatLocale } from '../../../ui/words/language.ts'
import { addDays, addMonths, dayAfter, weeksOf } from './month.ts'

interface MonthGridProps {
  from: string
  to: string
  today: string
  onPick: (day: string) => void
}

const MONDAY = '2026-11-23'

/** A month of days: arrow keys go by days and weeks, Page Up and Page Down by months. */
export function MonthGrid({ from, to, today, onPick }: MonthGridProps) {
  const [at, setAt] = useState(to || from || today)
  const grid = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
    moved.current = false
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayAfter(event.key, at)
    if (!next) return
    event.preventDefault()
    moved.current = true
    setAt(next)
  }
  const month = inWords(at, { month: 'long', year: 'numeric' })
  const isIn = (day: string) => day === from || (from !== '' && day > from && day <= to)
  return (
    <div>
      <Head>
        <IconButton aria-label={t`Previous month`} onClick={() => setAt(addMonths(at, -1))}>
          <ChevronLeft size={18} />
        </IconButton>
        <strong aria-live="polite">{month}</strong>
        <IconButton aria-label={t`Next month`} onClick={() => setAt(addMonths(at, 1))}>
          <ChevronRight size={18} />
        </IconButton>
      </Head>
      <Grid role="grid" tabIndex={-1} aria-label={month} ref={grid} onKeyDown={onKeyDown}>
        <div role="row">
          {[0, 1, 2, 3, 4, 5, 6].map((day) => (
            <span key={day} role="columnheader" aria-label={inWords(addDays(MONDAY, day), { weekday: 'long' })}>
              {inWords(addDays(MONDAY, day), { weekday: 'short' })}
            </span>
          ))}
        </div>
        {weeksOf(at).map((week) => (
          <div role="row" key={week.find(Boolean)}>
            {week.map((day, column) =>
              day ? (
                <div role="gridcell" key={day} aria-selected={isIn(day)} className={day === today ? 'today' : ''}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    aria-label={calendarDate(day)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => (setAt(day), onPick(day))}
                  >
                    {Number(day.slice(8))}
                  </button>
                </div>
              ) : (
                <div role="gridcell" key={`none-${column}`} aria-hidden />
              ),
            )}
          </div>
        ))}
      </Grid>
    </div>
  )
}

const inWords = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(formatLocale(), { ...options, timeZone: 'UTC' }).format(new Date(day))

const Head = styled('div')({ display: 'flex', alignItems: 'center', justifyContent: 'space-between', paddingBottom: 4 })

const Grid = styled('div')(({ theme }) => ({
  minHeight: 7 * 36,
  '&:focus': { outline: 'none' },
  '[role=row]': { display: 'grid', gridTemplateColumns: 'repeat(7, 36px)', justifyContent: 'center', marginBottom: 2 },
  '[role=columnheader]': {
    display: 'grid',
    placeItems: 'center',
    height: 28,
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
  },
  button: {
    width: 36,
    height: 34,
    padding: 0,
    border: 0,
    borderRadius: 8,
    background: 'none',
    font: 'inherit',
    fontVariantNumeric: 'tabular-nums',
    color: 'inherit',
    cursor: 'pointer',
    '&:hover': { background: theme.vars.palette.selection.item },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  },
  '.today button': { fontWeight: 700, boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}` },
  '[aria-selected=true] button': {
    background: theme.vars.palette.primary.main,
    color: theme.vars.palette.primary.contrastText,
  },
}))
