import type { Exchange } from './exchange.ts'

/** Returns a parameter that names one of our own pages; anything else becomes the home page. */
export function ownPath(address: string | null): string {
  if (!address?.startsWith('/') || /^\/[/\\]/.test(address) || /[^\x21-\x7e]/.test(address)) return '/'
  const { origin, pathname, search, hash } = new URL(address, 'http://own')
  const isPage = origin === 'http://own' && !/^\/(auth|api|content)\/|^\/\//.test(pathname)
  return isPage ? pathname + search + hash : '/'
}

/** The sign-in page, with the outcome of a sign-in through the identity provider. */
export function pageOf(outcome: 'refused' | 'failed', to: string): string {
  return `/sign-in?${new URLSearchParams({ oidc: outcome, ...(to !== '/' && { to }) })}`
}

export function queryOf({ request }: Exchange): URLSearchParams {
  const target = request.url ?? ''
  const mark = target.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark))
}
