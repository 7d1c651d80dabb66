import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { DETAILS_FROM, TREE_FROM } from './panes.tsx'

/**
 * Tells which panes are folded away, and whether the user points with fingers. The queries match screens only: a layout that
 * changed with the size of the paper would change after its sheets were counted.
 */
export function useScreen() {
  const { breakpoints } = useTheme()
  const below = (width: number | 'sm') => breakpoints.down(width).replace('@media', '@media screen and')
  const phone = useMediaQuery(below('sm'), { noSsr: true })
  const fingers = useMediaQuery('@media screen and (hover: none)', { noSsr: true })
  const treeFolded = useMediaQuery(below(TREE_FROM), { noSsr: true })
  const folded = useMediaQuery(below(DETAILS_FROM), { noSsr: true })
  return { phone, touch: phone || fingers, treeFolded, folded }
}
