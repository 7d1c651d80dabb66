import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { ImageUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { type Scheme, SURFACES } from '../../../../contract/endpoints/looks/accents.ts'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { type Branding, type BrandPlace, logoQuery, useSetLogo } from './brand-place.ts'

interface LogoFieldProps {
  place: BrandPlace
  scheme: Scheme
  branding: Branding
}

/** What the contract takes, before it becomes base64. */
const MAX_BYTES = 192 * 1024

/** A picture to drop or to choose, which is stored at once. */
export function LogoField({ place, scheme, branding }: LogoFieldProps) {
  const { set, isPending, error } = useSetLogo(place)
  const [rejected, setRejected] = useState(false)
  const title = scheme === 'light' ? t`Logo on light backgrounds` : t`Logo on dark backgrounds`
  const zone = useDropzone({
    accept: { 'image/png': [], 'image/jpeg': [], 'image/webp': [], 'image/svg+xml': [] },
    maxSize: MAX_BYTES,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    useFsAccessApi: false,
    onDrop: async ([file]) => {
      setRejected(!file)
      if (file) set({ scheme, image: await base64Of(file) })
    },
  })
  const own = branding[`logo_${scheme}`]
  return (
    <div role="group" aria-label={title}>
      <Title>{title}</Title>
      <Surface {...zone.getRootProps()} className={zone.isDragActive ? 'active' : ''} background={SURFACES[scheme][0]}>
        <input {...zone.getInputProps()} aria-label={title} />
        <Shown place={place} scheme={scheme} branding={branding} label={title} />
      </Surface>
      <Row>
        <Button variant="outlined" startIcon={<ImageUp size={15} />} loading={isPending} onClick={zone.open}>
          {own ? t`Replace` : t`Choose a picture`}
        </Button>
        {own && (
          <Button
            color="error"
            startIcon={<Trash2 size={15} />}
            disabled={isPending}
            onClick={() => set({ scheme, image: null })}
          >
            {t`Remove`}
          </Button>
        )}
      </Row>
      {rejected && <FormError>{t`Choose a PNG, JPEG, WebP or SVG of at most 192 KiB.`}</FormError>}
      {error && !rejected && <FormError>{messageOf(error)}</FormError>}
    </div>
  )
}

function Shown({ place, scheme, branding, label }: LogoFieldProps & { label: string }) {
  const field = `logo_${scheme}` as const
  const hasOwn = branding.logo_light !== null || branding.logo_dark !== null
  const version = hasOwn ? branding[field] : (branding.inherited?.[field] ?? null)
  const { data } = useReading({
    ...logoQuery(place, scheme, version ?? ''),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (version === null) return <Hint scheme={scheme}>{t`Drop a picture here`}</Hint>
  return data ? <img src={`data:image/png;base64,${data.image}`} alt={label} /> : null
}

/** Without the head of a data URL. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

const Title = styled('div')(({ theme }) => ({
  marginBottom: 6,
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
}))

const Surface = styled('div', { shouldForwardProp: (prop) => prop !== 'background' })<{
  background: string | undefined
}>(({ theme, background }) => ({
  display: 'grid',
  placeItems: 'center',
  height: 112,
  padding: 12,
  border: `1px dashed ${theme.vars.palette.text.disabled}`,
  borderRadius: 8,
  background,
  '&.active': { borderStyle: 'solid', borderColor: theme.vars.palette.primary.main },
  img: { maxWidth: '100%', maxHeight: 80 },
}))

const Hint = styled('span', { shouldForwardProp: (prop) => prop !== 'scheme' })<{ scheme: Scheme }>(({ scheme }) => ({
  color: scheme === 'light' ? '#4b5a5e' : '#a6b4b7',
}))

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 8 })
