import { styled } from '@mui/material/styles'
import { SIZES } from '../../theme.ts'
import { dotOf } from '../../ui/dot.ts'
import { UNSEEN } from '../../ui/visually-hidden.tsx'
import { TWO_LINES } from '../../ui/words/two-lines.ts'

export const HEAD_HEIGHT = 34
export const FOOT_HEIGHT = 30
/** In pixels. On phones and touch screens a line has two rows of text. */
export const TOUCH_ROW = 58

/** Styles the whole list in one rule. Rows and cells are plain elements, because thousands pass by while scrolling. */
export const ListSurface = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  const ring = `inset 0 0 0 2px ${palette.primary.main}`
  return {
    flex: 1,
    minHeight: 0,
    marginBottom: FOOT_HEIGHT,
    overflow: 'auto',
    position: 'relative',
    outline: 'none',
    overscrollBehavior: 'contain',
    '--first': 'calc(54px + var(--outline))',
    '--columns': 'var(--first) minmax(140px, 1fr) 124px 76px 28px',
    '&.with-pages': { '--columns': 'var(--first) minmax(140px, 1fr) 52px 124px 76px 28px' },
    '&.protected': { containerType: 'inline-size' },
    '.guard': { display: 'none' },
    '@container (min-width: 720px)': {
      '.row': { '--columns': 'var(--first) minmax(140px, 1fr) 224px 104px 68px 28px' },
      '.guard': { display: 'flex', gap: 6 },
    },
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
    '.unseen': UNSEEN,
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
    '.unread::before': { ...dotOf(palette.primary.main), left: 4 },
    '.check': { display: 'grid', placeItems: 'center', alignSelf: 'stretch', margin: '0 -8px', cursor: 'pointer' },
    '.check::before': {
      content: '""',
      gridArea: '1/1',
      width: 16,
      height: 16,
      boxSizing: 'border-box',
      border: `1.5px solid ${palette.text.secondary}`,
      borderRadius: 4,
      opacity: 0,
    },
    '.head .check::before, .line:hover .check::before, .line.active .check::before': { opacity: 1 },
    '[aria-selected="true"] .check::before, &.all .head .check::before': {
      opacity: 1,
      background: palette.primary.main,
      borderColor: palette.primary.main,
    },
    '[aria-selected="true"] .check::after, &.all .head .check::after': {
      content: '""',
      gridArea: '1/1',
      width: 4,
      height: 8,
      margin: '-2px 0 0',
      border: `solid ${palette.primary.contrastText}`,
      borderWidth: '0 2px 2px 0',
      rotate: '45deg',
    },
    '.icon': {
      display: 'grid',
      gridTemplateColumns: '16px var(--outline) 18px',
      columnGap: 10,
      alignItems: 'center',
      height: '100%',
    },
    '.name': { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 500 },
    '.title': { ...TWO_LINES, lineHeight: 1.2 },
    '.outline': { color: palette.text.secondary, overflow: 'hidden', textOverflow: 'ellipsis' },
    // Slanted letters reach out of their box.
    '.passage .title': { color: palette.text.secondary, fontStyle: 'italic', paddingInlineEnd: 3 },
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
    '.state.draft': { padding: '0 6px', border: `1px dashed ${palette.text.secondary}`, borderRadius: 6 },
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
      '--columns': 'var(--first) minmax(0, 1fr) 40px',
      '.check::before': { opacity: 1 },
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
