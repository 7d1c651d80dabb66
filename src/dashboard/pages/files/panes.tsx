import { styled } from '@mui/material/styles'
import { DETAILS_FROM, TREE_FROM } from '../../shared/listing/use-screen.ts'
import { SIZES } from '../../theme.ts'

export const Panes = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: `${SIZES.tree}px minmax(0, 1fr) ${SIZES.details}px`,
  gridTemplateRows: 'minmax(0, 1fr)',
  height: '100%',
  [theme.breakpoints.down(DETAILS_FROM)]: { gridTemplateColumns: `${SIZES.tree}px minmax(0, 1fr)` },
  [theme.breakpoints.down(TREE_FROM)]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

export const TreePane = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  height: '100%',
  minWidth: 0,
  minHeight: 0,
  borderRight: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down(TREE_FROM)]: { borderRight: 0 },
}))

export const ListPane = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  minHeight: 0,
  background: theme.vars.palette.background.paper,
}))

/** Holds the list and the bars that overlay it. */
export const ListPlace = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 1,
  minHeight: 0,
  display: 'flex',
  flexDirection: 'column',
  borderTop: `1px solid transparent`,
  '&.bare': { borderTopColor: theme.vars.palette.divider },
}))

export const DetailsAside = styled('aside')(({ theme }) => ({
  minWidth: 0,
  minHeight: 0,
  overflow: 'auto',
  borderLeft: `1px solid ${theme.vars.palette.divider}`,
}))
