import { styled } from '@mui/material/styles'
import { useId } from 'react'

const LENGTH = 6

interface CodeFieldProps {
  label: string
  describedBy: string
  value: string
  onChange: (digits: string) => void
}

/** One field that is drawn as six boxes, so that pasting and filling in by the browser work as in any field. */
export function CodeField({ label, describedBy, value, onChange }: CodeFieldProps) {
  const id = useId()
  return (
    <div>
      <Label htmlFor={id}>{label}</Label>
      <Boxes>
        <input
          id={id}
          aria-describedby={describedBy}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, LENGTH))}
        />
        {Array.from({ length: LENGTH }, (_, place) => (
          <span key={place} aria-hidden className={place === Math.min(value.length, LENGTH - 1) ? 'next' : undefined}>
            {value[place]}
          </span>
        ))}
      </Boxes>
    </div>
  )
}

const Label = styled('label')({ display: 'block', marginBottom: 8, fontSize: '0.75rem', fontWeight: 600 })

const Boxes = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: `repeat(${LENGTH}, minmax(0, 52px))`,
  gap: 8,
  '& > input': {
    position: 'absolute',
    inset: 0,
    width: '100%',
    opacity: 0,
    border: 0,
    cursor: 'text',
    fontSize: 16,
  },
  '& > span': {
    display: 'grid',
    placeItems: 'center',
    height: 54,
    borderRadius: 8,
    border: `1px solid ${theme.vars.palette.text.disabled}`,
    background: theme.vars.palette.background.paper,
    fontSize: 22,
    fontWeight: 600,
  },
  '& > input:focus ~ span.next': {
    outline: `2px solid ${theme.vars.palette.primary.main}`,
    outlineOffset: -1,
  },
}))
