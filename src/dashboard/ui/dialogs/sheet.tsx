import { styled } from '@mui/material/styles'

/** The surface of a list or a form, below the page's header. */
export const Sheet = styled('section')(({ theme }) => ({
  margin: '0 16px 16px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.paper,
  overflowX: 'auto',
  'td, th': { borderBottomColor: theme.vars.palette.divider },
  'tbody tr:last-of-type td': { borderBottom: 0 },
}))
