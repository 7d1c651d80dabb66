import { t } from '@lingui/core/macro'
import { keyframes, styled } from '@mui/material/styles'

export const Spinner = () => <Ring role="progressbar" aria-label={t`Loading`} />

const turn = keyframes({ to: { transform: 'rotate(1turn)' } })

const Ring = styled('span')({
  display: 'block',
  width: 16,
  height: 16,
  boxSizing: 'border-box',
  borderRadius: '50%',
  border: '2px solid currentColor',
  borderTopColor: 'transparent',
  animation: `${turn} 1.2s linear infinite`,
})
