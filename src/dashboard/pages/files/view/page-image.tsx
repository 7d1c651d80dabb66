import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { RotateCw } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import { onOurOrigin } from '../../../shared/on-our-origin.ts'
import type { Turn } from './page-layout.ts'

interface PageImageProps {
  number: number
  /** Undefined until it is known. */
  url: string | undefined
  turn: Turn
  /** As it lies there. */
  style: CSSProperties
  renew: (page: number) => Promise<void>
}

interface Shown {
  url: string | undefined
  state: 'coming' | 'there' | 'renewing' | 'failed'
}

/** One page. An address that does not work is renewed once; an image that is there stays when addresses change. */
export function PageImage({ number, url, turn, style, renew }: PageImageProps) {
  const [shown, setShown] = useState<Shown>({ url, state: 'coming' })
  const isNew = url !== shown.url && (shown.state === 'coming' || shown.state === 'renewing')
  if (isNew) setShown({ ...shown, url })

  const renewed = (state: 'renewing' | 'coming') => {
    setShown({ ...shown, state })
    renew(number).catch(() => setShown((before) => ({ ...before, state: 'failed' })))
  }
  const onError = () => (shown.state === 'coming' ? renewed('renewing') : setShown({ ...shown, state: 'failed' }))
  const label = `Page ${number}`
  return (
    <Sheet style={style} data-page={number}>
      {shown.url && shown.state !== 'failed' && (
        <img
          src={onOurOrigin(shown.url)}
          alt={label}
          draggable={false}
          style={{ ...turnedStyle(style, turn), opacity: shown.state === 'there' ? 1 : 0 }}
          onLoad={() => setShown({ ...shown, state: 'there' })}
          onError={onError}
        />
      )}
      {shown.state === 'failed' && (
        <Failed role="group" aria-label={label}>
          {label} could not be loaded.
          <Button variant="outlined" startIcon={<RotateCw size={16} />} onClick={() => renewed('coming')}>
            Try again
          </Button>
        </Failed>
      )}
    </Sheet>
  )
}

/** The image lies as it comes and is turned about the middle of its box. */
function turnedStyle({ width, height }: CSSProperties, turn: Turn): CSSProperties {
  if (turn % 180 === 0) return { width: '100%', height: '100%', transform: `translate(-50%, -50%) rotate(${turn}deg)` }
  return { width: height, height: width, transform: `translate(-50%, -50%) rotate(${turn}deg)` }
}

/** A page is paper in both schemes. */
const Sheet = styled('div')(({ theme }) => ({
  position: 'absolute',
  overflow: 'hidden',
  background: '#ffffff',
  borderRadius: 2,
  outline: `1px solid ${theme.vars.palette.divider}`,
  boxShadow: '0 1px 3px rgb(0 0 0 / 0.14)',
  img: {
    position: 'absolute',
    top: '50%',
    left: '50%',
    maxWidth: 'none',
    userSelect: 'none',
    transition: 'opacity 120ms',
  },
}))

const Failed = styled('div')({
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 12,
  height: '100%',
  color: '#4b5a5e',
  // On white paper the light scheme's accent is the readable one.
  '.MuiButton-root': { color: '#0b5d66', borderColor: '#0b5d66' },
})
