import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

/** The heading of a part, with what leads further at its end. */
export function Titled({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header>
      <Typography variant="h3">{title}</Typography>
      {children}
    </header>
  )
}

/** A part of the details with a heading. */
export const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 8,
  paddingTop: 16,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  // What follows appears in its place, instead of moving there.
  '&[aria-busy=true] ~ *': { visibility: 'hidden' },
  header: { display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 8 },
  'header > :not(h3)': { fontWeight: 580, color: theme.vars.palette.primary.main, textDecoration: 'none' },
  'header > :not(h3):hover': { textDecoration: 'underline' },
  a: { color: 'inherit', fontSize: '0.8125rem' },
  'ul, ol': { display: 'grid', gap: 8, margin: 0, padding: 0, listStyle: 'none' },
  li: { display: 'grid', gap: 1, overflowWrap: 'anywhere', fontSize: '0.8125rem', lineHeight: 1.4 },
  'li b': { fontWeight: 600 },
  'small, time': { fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
  'li a': {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontWeight: 500,
    textDecoration: 'none',
  },
  'li a:hover': { textDecoration: 'underline' },
}))
