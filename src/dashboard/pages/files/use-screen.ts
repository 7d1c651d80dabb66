import useMediaQuery from '@mui/material/useMediaQuery'
import { DETAILS_FROM, TREE_FROM } from './panes.tsx'

/** How much of the page stands side by side, and whether fingers point. */
export function useScreen() {
  const phone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true })
  const fingers = useMediaQuery('(hover: none)', { noSsr: true })
  const treeFolded = useMediaQuery((theme) => theme.breakpoints.down(TREE_FROM), { noSsr: true })
  const folded = useMediaQuery((theme) => theme.breakpoints.down(DETAILS_FROM), { noSsr: true })
  return { phone, touch: phone || fingers, treeFolded, folded }
}
