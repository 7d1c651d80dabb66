import { styled } from '@mui/material/styles'

/** A dashed frame for files. `data-over` marks that some are held over it. */
export const DropArea = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 12,
  padding: 14,
  border: `1px dashed ${theme.vars.palette.text.disabled}`,
  borderRadius: 8,
  '> svg': { flex: 'none', color: theme.vars.palette.text.secondary },
  '&[data-over=true]': { borderColor: theme.vars.palette.primary.main, background: theme.vars.palette.selection.row },
}))
