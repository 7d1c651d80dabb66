import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useColorScheme } from '@mui/material/styles'

const MODES = [
  { mode: 'light', label: msg`Light` },
  { mode: 'dark', label: msg`Dark` },
  { mode: 'system', label: msg`As the system` },
] as const

/** This browser stores the choice, not the profile, because screens differ. */
export function ColourScheme() {
  const { mode = 'system', setMode } = useColorScheme()
  return (
    <RadioGroup
      row
      aria-label={t`Colours`}
      value={mode}
      onChange={(_event, value) => setMode(MODES.find((each) => each.mode === value)?.mode ?? 'system')}
    >
      {MODES.map(({ mode, label }) => (
        <FormControlLabel key={mode} value={mode} label={i18n._(label)} control={<Radio size="small" />} />
      ))}
    </RadioGroup>
  )
}
