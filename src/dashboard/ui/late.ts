import { keyframes } from '@mui/material/styles'

const appear = keyframes({ from: { visibility: 'hidden' }, to: { visibility: 'visible' } })

/** An animation for what tells of waiting: it appears only after 150 ms, so that a quick answer does not flicker. */
export const late = `${appear} 150ms step-end`
