import { t } from '@lingui/core/macro'
import { keyframes, styled } from '@mui/material/styles'
import { late } from './late.ts'

/** A thin line while the next page is loading; appears only after 150 ms. */
export function PendingBar() {
  return <Line role="progressbar" aria-label={t`Loading`} />
}

const slide = keyframes({ from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(350%)' } })

const Line = styled('div')(({ theme }) => ({
  position: 'absolute',
  insetInline: 0,
  top: 0,
  height: 2,
  zIndex: 3,
  overflow: 'hidden',
  animation: late,
  '&::after': {
    content: '""',
    display: 'block',
    width: '30%',
    height: '100%',
    background: theme.vars.palette.primary.main,
    animation: `${slide} 1.1s ease-in-out infinite`,
  },
  '@media (prefers-reduced-motion: reduce)': { '&::after': { width: '100%', transform: 'none' } },
}))
