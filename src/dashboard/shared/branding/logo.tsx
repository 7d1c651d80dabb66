import { styled } from '@mui/material/styles'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Scheme } from '../../../contract/endpoints/looks/accents.ts'
import { type Api, api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

export type Look = NonNullable<Reply<Api['workspaces']['get']>['look']>

/** The logo of a room for the present scheme. In dark, a logo for light backgrounds only stands on white. */
export function RoomLogo({ workspaceId, look, height }: { workspaceId: number; look: Look; height: number }) {
  const light = useLogo(workspaceId, 'light', look.logo_light)
  const dark = useLogo(workspaceId, 'dark', look.logo_dark)
  return <Logos light={light} dark={dark} name={look.display_name ?? ''} height={height} />
}

/** Its hash names a picture, so that it is read once. */
function useLogo(workspaceId: number, scheme: Scheme, version: string | null): string | null {
  const { data } = useReading({
    ...read(api.brandings.getLogo, { params: { id: workspaceId }, query: { scheme, ...(version && { version }) } }),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (version !== null && data?.image) || null
}

interface LogosProps {
  /** PNG in base64. */
  light: string | null
  dark: string | null
  name: string
  height: number
}

export function Logos({ light, dark, name, height }: LogosProps) {
  if (!light && !dark) return null
  const own = light !== null && dark !== null
  return (
    <>
      <Picture className={own ? 'for-light' : light ? 'on-light' : 'on-dark'} height={height}>
        <img src={pngOf(light ?? dark)} alt={name} />
      </Picture>
      {own && (
        <Picture className="for-dark" height={height}>
          <img src={pngOf(dark)} alt={name} />
        </Picture>
      )}
    </>
  )
}

const pngOf = (image: string | null) => `data:image/png;base64,${image}`

const Picture = styled('span', { shouldForwardProp: (prop) => prop !== 'height' })<{ height: number }>(
  ({ theme, height }) => ({
    flex: 'none',
    display: 'inline-flex',
    img: { display: 'block', maxWidth: height * 4, maxHeight: height, width: 'auto', height: 'auto' },
    '&.for-dark': { display: 'none', ...theme.applyStyles('dark', { display: 'inline-flex' }) },
    '&.for-light': theme.applyStyles('dark', { display: 'none' }),
    '&.on-light': theme.applyStyles('dark', { padding: 4, borderRadius: 6, background: '#ffffff' }),
    '&.on-dark': { padding: 4, borderRadius: 6, background: '#0d1314', ...theme.applyStyles('dark', { padding: 0 }) },
  }),
)
