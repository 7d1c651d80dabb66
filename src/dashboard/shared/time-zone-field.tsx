import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'

interface TimeZoneFieldProps {
  label: string
  helperText?: string
  value: string
  onChange: (zone: string) => void
}

export function TimeZoneField({ label, helperText, value, onChange }: TimeZoneFieldProps) {
  return (
    <Autocomplete
      size="small"
      disableClearable
      options={[...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)}
      value={value}
      onChange={(_event, zone) => onChange(zone)}
      getOptionLabel={(zone) => zone.replaceAll('_', ' ')}
      renderInput={(params) => <TextField {...params} label={label} helperText={helperText} />}
    />
  )
}
