import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
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

/** Filters the content of the page; Escape and the cross clear the field. Looks like an `OutlinedInput`, but is small. */
export function SearchField({ value, onChange, label, width = 240, inputRef }: SearchFieldProps) {
  return (
    <Frame style={{ width }}>
      <Search size={15} aria-hidden />
      <input
        {...(inputRef && { ref: inputRef })}
        role="searchbox"
        type="text"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
      />
      {value !== '' && (
        <button type="button" aria-label={t`Clear`} onClick={() => onChange('')}>
          <X size={14} />
        </button>
      )}
    </Frame>
  )
}

const Frame = styled('label')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'inline-flex',
    alignItems: 'center',
    height: 32,
    maxWidth: '100%',
    padding: '0 14px',
    border: `1px solid color-mix(in srgb, ${palette.common.onBackground} 23%, transparent)`,
    borderRadius: 8,
    cursor: 'text',
    '& > svg': { flexShrink: 0, marginRight: 8, color: palette.action.active },
    '& > input, & > button': { border: 0, background: 'none', color: 'inherit' },
    '& > input': {
      flex: 1,
      minWidth: 0,
      height: '1.5em',
      padding: 0,
      outline: 'none',
      font: 'inherit',
      fontSize: '0.8125rem',
    },
    '& > input::placeholder': { color: 'inherit', opacity: theme.vars.opacity.inputPlaceholder },
    '& > button': {
      display: 'grid',
      padding: 5,
      marginRight: -9,
      borderRadius: 8,
      cursor: 'pointer',
    },
    '& > button:hover': { background: palette.action.hover },
    '&:hover': { borderColor: palette.text.primary },
    '&:focus-within': { borderColor: palette.primary.main, boxShadow: `inset 0 0 0 1px ${palette.primary.main}` },
  }
})
