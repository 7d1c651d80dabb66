import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'

/** A colour to pick or to type, such as "#333333". */
export function ColourField({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  const isValid = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <Row>
      <input
        type="color"
        aria-label={t`Pick a colour`}
        value={isValid ? value : '#000000'}
        onChange={(event) => onChange(event.target.value)}
      />
      <TextField
        label={t`Colour`}
        value={value}
        error={!isValid}
        helperText={isValid ? undefined : t`Six digits such as #333333`}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.trim())}
        slotProps={{ htmlInput: { maxLength: 7, spellCheck: false } }}
      />
    </Row>
  )
}

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '40px minmax(0, 150px)',
  alignItems: 'start',
  gap: 10,
  marginBottom: 4,
  'input[type=color]': {
    width: 40,
    height: 36,
    padding: 3,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 8,
    background: theme.vars.palette.background.paper,
    cursor: 'pointer',
  },
}))
