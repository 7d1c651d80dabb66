import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { Search, X } from 'lucide-react'
import type { Ref } from 'react'

interface SearchFieldProps {
  value: string
  onChange: (value: string) => void
  /** Accessible name and placeholder; says what is searched. */
  label: string
  width?: number | string
  inputRef?: Ref<HTMLInputElement>
}

/** Filters the content of the page. Escape and the cross clear the field. */
export function SearchField({ value, onChange, label, width = 240, inputRef }: SearchFieldProps) {
  return (
    <OutlinedInput
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return
        event.stopPropagation()
        onChange('')
      }}
      placeholder={label}
      size="small"
      sx={{ width, height: 32 }}
      {...(inputRef && { inputRef })}
      inputProps={{ 'aria-label': label, role: 'searchbox', spellCheck: false }}
      startAdornment={
        <InputAdornment position="start">
          <Search size={15} aria-hidden />
        </InputAdornment>
      }
      endAdornment={
        value !== '' && (
          <IconButton aria-label={t`Clear`} edge="end" onClick={() => onChange('')} sx={{ p: 0.25 }}>
            <X size={14} />
          </IconButton>
        )
      }
    />
  )
}
