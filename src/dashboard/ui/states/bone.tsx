import { keyframes, styled } from '@mui/material/styles'

const pulse = keyframes({ '50%': { opacity: 0.4 } })

export const Bone = styled('span')(({ theme }) => ({
  display: 'block',
  borderRadius: theme.vars.shape.borderRadius,
  backgroundColor: theme.vars.palette.Skeleton.bg,
  animation: `${pulse} 2s ease-in-out 0.5s infinite`,
}))
