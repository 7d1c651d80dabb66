import { styled } from '@mui/material/styles'

export const UNSEEN = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const

/** For screen readers only. */
export const VisuallyHidden = styled('span')(UNSEEN)
