import { keyframes } from '@mui/material/styles'

const appear = keyframes({ from: { visibility: 'hidden' }, to: { visibility: 'visible' } })

/** Animation for loading indicators: they appear only after 150 ms, so that a quick reply causes no flicker. */
export const late = `${appear} 150ms step-end`
