import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'

interface ChoiceProps {
  label: string
  /** Label of the empty choice, if the choice may be empty. */
  none?: string
  value: string
  options: [string, string][]
  onChange: (value: string) => void
}

export function Choice({ label, none, value, options, onChange }: ChoiceProps) {
  const known = options.some(([option]) => option === value) ? value : ''
  return (
    <TextField
      select
      label={label}
      value={known}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
      {options.map(([option, text]) => (
        <MenuItem key={option} value={option}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  )
}
