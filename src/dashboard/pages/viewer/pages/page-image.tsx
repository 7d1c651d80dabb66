import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { RotateCw } from 'lucide-react'
import { memo, useState, type CSSProperties } from 'react'
import { send } from '../../../api/client.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { onOurOrigin } from '../../../shared/on-our-origin.ts'
import { useLastingUrl } from '../../../shared/use-lasting-url.ts'
import { turnedStyle, type Box, type Turn } from './page-layout.ts'

interface PageImageProps {
  number: number
  /** Undefined until the URL is known. */
  url: string | undefined
  thumbnailUrl: string | undefined
  turn: Turn
  /** Position and size of the page in the canvas. */
  box: Box
  renew: (page: number) => Promise<void>
  unprinted: boolean
}

/** One page, which has its place before the image has loaded. */
export const PageImage = memo(function PageImage({
  number,
  url,
  thumbnailUrl,
  turn,
  box,
  renew,
  unprinted,
}: PageImageProps) {
  const { src, there, failed, onLoad, onError, retry } = useLastingUrl(url, () => renew(number))
  const reason = useReason(failed ? url : undefined)
  const label = t`Page ${number}`
  return (
    <Sheet style={box} data-page={unprinted ? undefined : number}>
      {!there && !failed && (
        <Coming aria-hidden>
          {number}
          {thumbnailUrl && <Preview key={thumbnailUrl} url={thumbnailUrl} style={turnedStyle(box, turn)} />}
        </Coming>
      )}
      {src && (
        <img
          src={src}
          alt={label}
          draggable={false}
          style={{ ...turnedStyle(box, turn), opacity: there ? 1 : 0 }}
          onLoad={onLoad}
          onError={onError}
        />
      )}
      {failed && (
        <Failed role="group" aria-label={label}>
          {t`Page ${number} could not be loaded.`} {reason}
          <Button variant="outlined" startIcon={<RotateCw size={16} />} onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </Failed>
      )}
    </Sheet>
  )
})

/** Stands in for the page until it is there, if it arrives before. */
function Preview({ url, style }: { url: string; style: CSSProperties }) {
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming')
  if (state === 'failed') return null
  return (
    <img
      src={onOurOrigin(url)}
      alt=""
      draggable={false}
      style={{ ...style, opacity: state === 'there' ? 1 : 0 }}
      onLoad={() => setState('there')}
      onError={() => setState('failed')}
    />
  )
}

/** Returns what the service says is wrong with the page itself; "" if only its URL did not work. */
function useReason(url: string | undefined): string {
  const { data = '' } = useReading({
    queryKey: ['page at fault', url],
    queryFn: () => send('GET', onOurOrigin(url ?? '')).then(() => '', reasonIn),
    enabled: url !== undefined,
    gcTime: 0,
  })
  return data
}

const reasonIn = (error: unknown) => (error instanceof ApiFailure && error.code === 422 ? messageOf(error) : '')

/** A page is white paper in both colour schemes. */
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

const Coming = styled('div')({
  position: 'absolute',
  inset: 0,
  display: 'grid',
  alignContent: 'start',
  justifyContent: 'center',
  paddingTop: 'min(25vh, 40%)',
  background: '#eef2f3',
  color: '#5b6a6e',
  fontSize: '1.5rem',
  fontWeight: 600,
})

const Failed = styled('div')({
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 12,
  height: '100%',
  padding: 24,
  textAlign: 'center',
  color: '#4b5a5e',
  // On white paper only the light scheme's accent is readable.
  '.MuiButton-root': { color: '#0b5d66', borderColor: '#0b5d66' },
})
