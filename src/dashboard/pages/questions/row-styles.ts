import type { Theme } from '@mui/material/styles'

/** A question in a list: a button as wide as the list, which marks the open one. */
export const rowStyles = ({ vars: { palette } }: Theme) =>
  ({
    alignItems: 'center',
    border: 0,
    borderBottom: `1px solid ${palette.divider}`,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    fontSize: '0.8125rem',
    textAlign: 'left',
    cursor: 'pointer',
    '&:hover': { background: palette.action.hover },
    '&[aria-current=true]': {
      background: palette.selection.row,
      boxShadow: `inset 3px 0 ${palette.primary.main}`,
    },
    '&:focus-visible': { outlineOffset: -2 },
  }) as const
