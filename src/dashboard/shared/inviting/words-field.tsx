import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'

const MOST = 2000

interface WordsFieldProps {
  value: string
  onChange: (words: string) => void
}

export function WordsField({ value, onChange }: WordsFieldProps) {
  return (
    <TextField
      label={t`Your words in the mail, if you like`}
      value={value}
      multiline
      fullWidth
      minRows={2}
      maxRows={8}
      helperText={t`They appear as plain text: addresses of web pages do not become links.`}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { maxLength: MOST } }}
      sx={{ mt: 1 }}
    />
  )
}
