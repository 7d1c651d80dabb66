import { styled } from '@mui/material/styles'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId, type ReactNode } from 'react'

interface SwitchRowProps {
  label: string
  /** One sentence on the effect of the switch. */
  text?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function SwitchRow({ label, text, checked, disabled = false, onChange }: SwitchRowProps) {
  const textId = useId()
  return (
    <Row>
      <Switch
        size="small"
        checked={checked}
        disabled={disabled}
        onChange={(_event, next) => onChange(next)}
        slotProps={{ input: text ? { 'aria-describedby': textId, 'aria-label': label } : { 'aria-label': label } }}
      />
      <span>
        <Typography component="span" sx={{ display: 'block', fontWeight: 500 }}>
          {label}
        </Typography>
        {text && (
          <Typography component="span" id={textId} variant="caption" color="textSecondary" sx={{ display: 'block' }}>
            {text}
          </Typography>
        )}
      </span>
    </Row>
  )
}

const Row = styled('label')({ display: 'flex', alignItems: 'flex-start', gap: 10, cursor: 'pointer', padding: '4px 0' })
