import Checkbox from '@mui/material/Checkbox'
import { styled } from '@mui/material/styles'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId, type ReactNode } from 'react'

interface SettingRowProps {
  label: string
  /** One sentence on the effect of the setting. */
  text?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A setting that is stored when it is pressed: a switch shows only what is stored. */
export const SwitchRow = (props: SettingRowProps) => <SettingRow {...props} isSwitch />

/** A part of a form, stored with it. */
export const CheckRow = (props: SettingRowProps) => <SettingRow {...props} />

function SettingRow({
  label,
  text,
  checked,
  disabled = false,
  onChange,
  isSwitch = false,
}: SettingRowProps & { isSwitch?: boolean }) {
  const textId = useId()
  const control = {
    size: 'small',
    checked,
    disabled,
    onChange: (_event: unknown, next: boolean) => onChange(next),
    slotProps: { input: text ? { 'aria-describedby': textId, 'aria-label': label } : { 'aria-label': label } },
  } as const
  return (
    <Row>
      {isSwitch ? <Switch {...control} /> : <Checkbox {...control} sx={{ p: 0.25, m: -0.25 }} />}
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
