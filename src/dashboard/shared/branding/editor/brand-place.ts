import type { Call, Reply } from '../../../../contract/endpoint.ts'
import { type Api, api } from '../../../../contract/index.ts'
import { read, useAction } from '../../../api/query.ts'

export type Branding = Reply<Api['brandings']['get']>
export type Changes = Call<Api['brandings']['update']>['body']['branding']
export type Draft = Call<Api['brandings']['preview']>['body']
type SentLogo = Call<Api['brandings']['setLogo']>['body']['logo']

/** A workspace, or the whole organization. */
export type BrandPlace = { workspaceId: number } | 'organization'

export const brandingQuery = (place: BrandPlace) =>
  place === 'organization'
    ? read(api.brandings.getForOrganization)
    : read(api.brandings.get, { params: { id: place.workspaceId } })

export function useSaveBranding(place: BrandPlace, onDone?: () => void) {
  const own = useAction(api.brandings.update, { ...(onDone && { onDone }) })
  const shared = useAction(api.brandings.updateForOrganization, { ...(onDone && { onDone }) })
  const { isPending, error } = place === 'organization' ? shared : own
  const save = (branding: Changes, onSaved?: () => void) => {
    const then = { ...(onSaved && { onSuccess: onSaved }) }
    if (place === 'organization') shared.mutate({ body: { branding } }, then)
    else own.mutate({ params: { id: place.workspaceId }, body: { branding } }, then)
  }
  return { save, isPending, error }
}

export function useSetLogo(place: BrandPlace) {
  const own = useAction(api.brandings.setLogo)
  const shared = useAction(api.brandings.setLogoForOrganization)
  const { isPending, error } = place === 'organization' ? shared : own
  const set = (logo: SentLogo) =>
    place === 'organization'
      ? shared.mutate({ body: { logo } })
      : own.mutate({ params: { id: place.workspaceId }, body: { logo } })
  return { set, isPending, error }
}

export const logoQuery = (place: BrandPlace, scheme: SentLogo['scheme'], version: string) =>
  place === 'organization'
    ? read(api.brandings.getLogoForOrganization, { query: { scheme, version } })
    : read(api.brandings.getLogo, { params: { id: place.workspaceId }, query: { scheme, version } })

export const previewQuery = (place: BrandPlace, body: Draft) =>
  place === 'organization'
    ? read(api.brandings.previewForOrganization, { body })
    : read(api.brandings.preview, { params: { id: place.workspaceId }, body })
