import { useTheme } from '@mui/material/styles'
import { useMediaQuery } from '../../ui/use-media-query.ts'

/** Below these widths in pixels, the details and then the tree fold away. */
export const DETAILS_FROM = 1100
export const TREE_FROM = 900

/**
 * Tells which panes are folded away, and whether the user points with fingers. The queries match screens only: a layout that
 * changed with the size of the paper would change after its sheets were counted.
 */
export function useScreen() {
  const { breakpoints } = useTheme()
  const below = (width: number | 'sm') => breakpoints.down(width).replace('@media', '@media screen and')
  const phone = useMediaQuery(below('sm'))
  const fingers = useMediaQuery('@media screen and (hover: none)')
  const treeFolded = useMediaQuery(below(TREE_FROM))
  const folded = useMediaQuery(below(DETAILS_FROM))
  return { phone, touch: phone || fingers, treeFolded, folded }
}
