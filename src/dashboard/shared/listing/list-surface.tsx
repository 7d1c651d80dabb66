import { styled } from '@mui/material/styles'
import { SIZES } from '../../theme.ts'

export const HEAD_HEIGHT = 34
/** In pixels. On phones and touch screens a line has two rows of text. */
export const TOUCH_ROW = 58

/** Styles the whole list in one rule. Rows and cells are plain elements, because thousands pass by while scrolling. */
export const ListSurface = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  const ring = `inset 0 0 0 2px ${palette.primary.main}`
  return {
    flex: 1,
    minHeight: 0,
    overflow: 'auto',
    position: 'relative',
    outline: 'none',
    overscrollBehavior: 'contain',
    '--columns': '18px minmax(140px, 1fr) 124px 76px 28px',
    '&.with-pages': { '--columns': '18px minmax(140px, 1fr) 52px 124px 76px 28px' },
    '.row': {
      display: 'grid',
      gridTemplateColumns: 'var(--columns)',
      alignItems: 'center',
      columnGap: 16,
      height: SIZES.row,
      padding: '0 10px 0 16px',
      boxSizing: 'border-box',
      borderBottom: `1px solid ${palette.divider}`,
    },
    '.head': {
      position: 'sticky',
      top: 0,
      zIndex: 1,
      height: HEAD_HEIGHT,
      background: palette.background.paper,
      color: palette.text.secondary,
      fontSize: '0.75rem',
      fontWeight: 580,
    },
    '.unseen': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' },
    '.body': { position: 'relative' },
    '.line': {
      position: 'absolute',
      inset: '0 0 auto 0',
      cursor: 'default',
      userSelect: 'none',
      contain: 'size layout paint',
    },
    '.line:hover': { background: `color-mix(in srgb, ${palette.selection.row} 50%, transparent)` },
    '.line[aria-selected="true"]': { background: palette.selection.row },
    '.line.target': { boxShadow: ring, background: palette.selection.item },
    '.line.dragged': { opacity: 0.5 },
    '&:focus-visible .line.active': { boxShadow: ring },
    '.line > *': { minWidth: 0 },
    '.icon': { display: 'grid' },
    '.name': { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 500 },
    '.title': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '.outline': {
      color: palette.text.secondary,
      fontWeight: 400,
      flexShrink: 0,
      minWidth: 'var(--outline, 0)',
      maxWidth: '45%',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
    },
    '.passage .title': { color: palette.text.secondary, fontStyle: 'italic' },
    '.number': { textAlign: 'right', whiteSpace: 'nowrap' },
    '.date': { whiteSpace: 'nowrap', paddingLeft: 8 },
    '.state': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: 4,
      flexShrink: 0,
      color: palette.text.secondary,
      fontSize: '0.75rem',
      fontWeight: 400,
    },
    '.state.warning': { color: palette.error.main, fontWeight: 600 },
    '.facts': {
      color: palette.text.secondary,
      fontSize: '0.75rem',
      fontWeight: 400,
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
    },
    '.more': {
      display: 'grid',
      placeItems: 'center',
      width: 28,
      height: 28,
      padding: 0,
      border: 0,
      borderRadius: 6,
      background: 'none',
      color: 'inherit',
      cursor: 'pointer',
      opacity: 0,
    },
    // Drawn with CSS instead of an icon, so that the three dots of a line are one element.
    '.more::before': {
      content: '""',
      width: 3,
      height: 3,
      borderRadius: 2,
      background: 'currentColor',
      boxShadow: '0 -5px currentColor, 0 5px currentColor',
    },
    '.more:hover': { background: palette.selection.item },
    '.line:hover .more, .line.active .more, .more:focus-visible': { opacity: 1 },
    '&.touch': {
      '--columns': '20px minmax(0, 1fr) 40px',
      '.head': { display: 'none' },
      '.line': { height: TOUCH_ROW, columnGap: 14, paddingRight: 8 },
      '.name': { flexWrap: 'wrap', columnGap: 8, rowGap: 0 },
      '.title': { flex: 1 },
      '.facts': { flexBasis: '100%' },
      '.more': { width: 40, height: 40, opacity: 1 },
    },
  }
})

/** A button without its own look, for the column heads. */
export const PlainButton = styled('button')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 24,
  padding: '2px 4px',
  margin: '0 -4px',
  border: 0,
  borderRadius: 6,
  background: 'none',
  font: 'inherit',
  color: 'inherit',
  cursor: 'pointer',
  '&:hover': { color: theme.vars.palette.text.primary, background: theme.vars.palette.selection.item },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 0 },
}))
