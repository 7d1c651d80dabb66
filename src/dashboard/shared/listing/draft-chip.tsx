import { styled } from '@mui/material/styles'

/** A dashed outline stands for a draft everywhere. */
export const DraftChip = styled('span')(({ theme }) => ({
  padding: '0 7px',
  border: `1px dashed ${theme.vars.palette.text.secondary}`,
  borderRadius: 6,
  color: theme.vars.palette.text.secondary,
  fontSize: '0.75rem',
  fontStyle: 'normal',
  fontWeight: 500,
  lineHeight: '18px',
  whiteSpace: 'nowrap',
  flexShrink: 0,
}))
