import TextField from '@mui/material/TextField'

interface DateFieldProps {
  label: string
  /** `YYYY-MM-DD`, or "" for none. */
  value: string
  onChange: (value: string) => void
  min?: string
  max?: string
  error?: string | undefined
  help?: string
  disabled?: boolean
  autoFocus?: boolean
  fullWidth?: boolean
}

/** A calendar date, picked with the browser's own calendar. */
export function DateField({ label, value, onChange, min, max, error, help, ...field }: DateFieldProps) {
  return (
    <TextField
      {...field}
      type="date"
      label={label}
      value={value}
      error={error !== undefined}
      helperText={error ?? help}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { min, max } }}
    />
  )
}
