import Slider from '@mui/material/Slider'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

interface RangeFieldProps {
  label: string
  /** Shown after the number: " pt". */
  unit: string
  min: number
  max: number
  value: number
  onChange: (value: number) => void
}

export function RangeField({ label, unit, min, max, value, onChange }: RangeFieldProps) {
  const id = useId()
  return (
    <Row>
      <Typography id={id} variant="caption" color="textSecondary">
        {label}
      </Typography>
      <Slider
        size="small"
        aria-labelledby={id}
        getAriaValueText={(each) => `${each}${unit}`}
        min={min}
        max={max}
        value={value}
        onChange={(_event, next) => onChange(Array.isArray(next) ? (next[0] ?? value) : next)}
      />
      <Typography variant="caption" sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
        {`${value}${unit}`}
      </Typography>
    </Row>
  )
}

const Row = styled('div')({
  display: 'grid',
  gridTemplateColumns: '58px minmax(0, 1fr) 48px',
  alignItems: 'center',
  gap: 12,
  minHeight: 30,
})
