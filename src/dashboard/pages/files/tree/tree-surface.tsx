import { styled } from '@mui/material/styles'
import { dotOf } from '../../../ui/dot.ts'
import { UNSEEN } from '../../../ui/visually-hidden.tsx'

/** Styles the whole tree in one rule. The rows are plain elements. */
export const TreeSurface = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    overflow: 'auto',
    flex: 1,
    height: '100%',
    minHeight: 0,
    boxSizing: 'border-box',
    padding: '8px',
    outline: 'none',
    overscrollBehavior: 'contain',
    '.body': { position: 'relative' },
    '.item': {
      position: 'absolute',
      inset: '0 0 auto 0',
      display: 'flex',
      alignItems: 'center',
      gap: 7,
      paddingRight: 18,
      borderRadius: 6,
      cursor: 'pointer',
      userSelect: 'none',
      whiteSpace: 'nowrap',
    },
    '.item:hover': { background: palette.selection.row },
    '.item[aria-selected="true"]': { background: palette.selection.item, fontWeight: 600 },
    '.item[aria-disabled="true"]': { color: palette.text.disabled, cursor: 'not-allowed' },
    '.item.passage': { color: palette.text.secondary, fontStyle: 'italic' },
    '.item.target': { boxShadow: `inset 0 0 0 2px ${palette.primary.main}`, background: palette.selection.item },
    '&:focus-visible .item.active': { boxShadow: `inset 0 0 0 2px ${palette.primary.main}` },
    '.chevron': { display: 'grid', placeItems: 'center', width: 20, height: 20, borderRadius: 4, flexShrink: 0 },
    '.chevron:hover': { background: palette.selection.item },
    '.chevron svg': { transition: 'transform 120ms' },
    '.item[aria-expanded="true"] .chevron svg': { transform: 'rotate(90deg)' },
    '.item.loading .chevron': { opacity: 0.4 },
    '.unread::after': { ...dotOf(palette.primary.main), right: 6 },
    '.unseen': UNSEEN,
    '.name': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '.passage .name': { paddingInlineEnd: 3 },
    '@media (pointer: coarse)': { '.chevron': { width: 28, height: 28 } },
  }
})
