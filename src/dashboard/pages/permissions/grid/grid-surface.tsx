import { styled } from '@mui/material/styles'
import { SIZES } from '../../../theme.ts'
import { UNSEEN } from '../../../ui/visually-hidden.tsx'
import { boxStyles } from './box-styles.ts'

/** Widths of the folder column and of one right. Both are narrower on phones and with several groups side by side. */
const FOLDER_WIDTH = 'clamp(clamp(170px, 26cqw, 260px), min(46cqw, calc(100cqw - 68px * var(--rights))), 400px)'
const RIGHT_WIDTH = 'clamp(clamp(60px, 17cqw, 68px), calc((100cqw - var(--folder-width)) / var(--rights)), 92px)'

/** Height in pixels of the groups with their people and protection. */
export const GROUPS_HEIGHT = 68

/**
 * Styles the whole grid in one rule. Rows and cells are plain elements with class names, because thousands scroll past
 * and a styled component for each would be slow.
 */
export const GridSurface = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  const line = `1px solid ${palette.divider}`
  const ring = `2px solid ${palette.primary.main}`
  return {
    overflow: 'auto',
    height: '100%',
    background: palette.background.paper,
    overscrollBehavior: 'contain',
    '.row': {
      '--folder-width': FOLDER_WIDTH,
      '--right-width': RIGHT_WIDTH,
      display: 'flex',
      height: SIZES.gridRow,
      width: '100%',
      minWidth: 'calc(var(--folder-width) + var(--right-width) * var(--rights))',
      borderBottom: line,
      boxSizing: 'border-box',
    },
    '.body': { position: 'relative' },
    '.body .row': { position: 'absolute', top: 0, left: 0, contain: 'layout style' },
    '.body .row:hover, .body .row:hover .folder, &:focus-within .row.at, &:focus-within .row.at .folder': {
      background: palette.selection.row,
    },
    '.head': { position: 'sticky', top: 0, zIndex: 2 },
    '.head .row': { background: palette.background.paper, fontSize: '0.75rem', fontWeight: 580 },
    '.head .row, .head .folder': { color: palette.text.secondary },
    '.head .groups': { height: GROUPS_HEIGHT, borderBottom: 0 },
    '.near': { color: palette.warning.main, fontWeight: 600 },
    '.folder': {
      position: 'sticky',
      left: 0,
      zIndex: 1,
      flex: 'none',
      width: 'var(--folder-width)',
      display: 'flex',
      alignItems: 'center',
      gap: 6,
      paddingRight: 10,
      boxSizing: 'border-box',
      background: palette.background.paper,
      borderRight: line,
      userSelect: 'none',
    },
    '.head .folder': { paddingLeft: 16 },
    // On phones a column is narrower than the longer words of some languages.
    '.head .right': {
      padding: '0 3px',
      lineHeight: 1.15,
      textAlign: 'center',
      hyphens: 'auto',
      overflowWrap: 'anywhere',
      '@container (max-width: 520px)': { padding: 0, fontSize: '0.6875rem' },
    },
    '.name': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '.drafted': { fontStyle: 'italic', paddingInlineEnd: 3 },
    // Beside a narrow name the slanted letters stand for it.
    '.chip': { '@container (max-width: 520px)': UNSEEN },
    '.outline': { color: palette.text.secondary },
    '.top .name': { fontWeight: 600 },
    '.documents': {
      marginLeft: 'auto',
      fontSize: '0.75rem',
      fontVariantNumeric: 'tabular-nums',
      color: palette.text.secondary,
      '@container (max-width: 520px)': { display: 'none' },
    },
    '.unit': UNSEEN,
    '.who': {
      flex: 'none',
      display: 'none',
      placeItems: 'center',
      width: 26,
      height: 26,
      marginLeft: 'auto',
      padding: 0,
      border: 0,
      borderRadius: 6,
      background: 'none',
      cursor: 'pointer',
    },
    '&.admin .row:hover .who, &.admin:focus-within .row.at .who': { display: 'grid' },
    '&.admin .row:hover .who + .documents, &.admin:focus-within .row.at .who + .documents': { marginLeft: 0 },
    '.head .who': { display: 'grid', margin: '-1px -6px -1px auto', color: 'inherit' },
    '.who:hover': { background: palette.selection.item },
    '.folder svg': { flex: 'none', color: palette.text.secondary },
    '.chevron': { width: 16, height: 16, flex: 'none', transition: 'transform 120ms' },
    '.row[aria-expanded="true"] .chevron': { transform: 'rotate(90deg)' },
    '.row[aria-expanded] .folder': { cursor: 'pointer' },
    '.right, .group': { flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center' },
    '.right': { width: 'var(--right-width)', boxSizing: 'border-box' },
    // Left of the middle, so that counts have their place without moving a box.
    '.body .right': {
      justifyContent: 'flex-start',
      gap: 4,
      paddingLeft: 'calc((var(--right-width) - 18px) / 2 - 12px)',
      cursor: 'pointer',
    },
    '.right small': {
      flex: '1 1 0',
      fontSize: '0.6875rem',
      lineHeight: 1.1,
      fontVariantNumeric: 'tabular-nums',
      color: palette.text.secondary,
      '@container (max-width: 520px)': { fontSize: '0.625rem' },
    },
    '.group': {
      flexDirection: 'column',
      alignItems: 'stretch',
      width: 'calc(var(--right-width) * 3)',
      padding: '0 12px',
      boxSizing: 'border-box',
      lineHeight: '16px',
    },
    '.group > span': { display: 'flex', alignItems: 'center', gap: 5, minHeight: 24 },
    '.group .name': { fontSize: '0.8125rem', fontWeight: 600, color: palette.text.primary },
    '.group small': {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontSize: '0.75rem',
      fontWeight: 400,
    },
    '.last': { borderRight: line },
    '.body .last': { position: 'relative' },
    '.seen': {
      position: 'absolute',
      right: 1,
      display: 'grid',
      placeItems: 'center',
      width: 24,
      height: 24,
      borderRadius: 6,
      background: palette.background.paper,
      color: palette.primary.main,
    },
    '.seen:hover': { background: palette.selection.item },
    ...boxStyles(theme),
    // The whole cell takes the click, not only the drawn 18 px.
    '.body .right:hover .box:not(.locked)': {
      boxShadow: `0 0 0 3px ${palette.selection.item}`,
      borderColor: palette.primary.main,
    },
    '.box:focus-visible': { outline: ring, outlineOffset: 2 },
    '.folder:focus-visible': { outline: ring, outlineOffset: -2 },
    '.body .right:has(.locked)': { cursor: 'not-allowed' },
  }
})

/** The container that determines the widths above. */
export const GridFrame = styled('div')(({ theme }) => ({
  position: 'relative',
  containerType: 'size',
  minHeight: 0,
  margin: '0 16px',
  overflow: 'hidden',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
}))
