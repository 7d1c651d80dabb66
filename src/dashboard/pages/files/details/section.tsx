import { styled } from '@mui/material/styles'

/** A part of the details with a heading. */
export const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 8,
  paddingTop: 16,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  // What follows appears in its place, instead of moving there.
  '&[aria-busy=true] ~ *': { visibility: 'hidden' },
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
