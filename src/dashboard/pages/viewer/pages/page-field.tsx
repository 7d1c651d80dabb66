import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { number } from '../../../ui/words/format.ts'

interface PageFieldProps {
  page: number
  pages: number
  onGo: (page: number) => void
}

/** Shows the current page. Another number goes to that page. */
export function PageField({ page, pages, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string>()
  const go = () => {
    if (typed !== undefined && /^\d{1,6}$/.test(typed)) onGo(Number(typed))
    setTyped(undefined)
  }
  const total = number(pages)
  return (
    <Field>
      <input
        aria-label={t`Page`}
        inputMode="numeric"
        value={typed ?? page}
        size={Math.max(2, String(pages).length)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={go}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') setTyped(undefined)
          if (key === 'Enter' || key === 'Escape') currentTarget.blur()
        }}
      />
      {t`of ${total}`}
    </Field>
  )
}

const Field = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
  input: {
    boxSizing: 'content-box',
    height: 26,
    padding: '0 6px',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 6,
    background: theme.vars.palette.background.default,
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    textAlign: 'center',
    fontVariantNumeric: 'tabular-nums',
  },
}))
