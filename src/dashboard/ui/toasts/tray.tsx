import { styled } from '@mui/material/styles'

/** A card in the corner of every page, for background work. Several cards are stacked. */
export const Tray = styled('section')(({ theme }) => ({
  overflow: 'hidden',
  flexShrink: 0,
  background: theme.vars.palette.background.paper,
  boxShadow: theme.vars.shadows[6],
  borderRadius: 12,
  border: `1px solid ${theme.vars.palette.divider}`,
  pointerEvents: 'auto',
}))

export const TrayHead = styled('header')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  padding: '8px 8px 8px 16px',
})

export const TrayFoot = styled('footer')(({ theme }) => ({
  padding: '6px 8px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/** Container of the trays; clicks beside them reach the page. */
export const TrayCorner = styled('div')(({ theme }) => ({
  position: 'fixed',
  right: 16,
  bottom: 16,
  zIndex: theme.zIndex.snackbar - 1,
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'flex-end',
  gap: 12,
  width: 400,
  maxWidth: 'calc(100vw - 32px)',
  maxHeight: 'calc(100vh - 84px)',
  '@media print': { display: 'none' },
  pointerEvents: 'none',
}))

export const TrayRow = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  height: '100%',
  padding: '0 8px 0 16px',
})

export const TRAY_ROW = 46
