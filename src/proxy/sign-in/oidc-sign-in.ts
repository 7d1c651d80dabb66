import { placeOf } from '../../wire/place-of.ts'
import type { RateLimit } from '../../wire/rates/rate-limit.ts'
import type { Exchange } from '../exchange.ts'
import { type IdentityProvider, reasonOf } from './oidc.ts'
import type { Flows } from './oidc-flows.ts'
import { ownPath, pageOf, queryOf } from '../own-path.ts'
import type { People } from './people.ts'
import { sendRedirect } from '../reply.ts'
import type { Session, Sessions } from './session.ts'

export const CALLBACK = '/auth/oidc/callback'

export interface OidcParts {
  provider: IdentityProvider
  people: People
  sessions: Sessions
  flows: Flows
  limit: RateLimit
  publicUrl: string
}

/**
 * Keeps the link to the opener: a sealed document that opened this window waits for the result.
 */
function keepOpener(exchange: Exchange): void {
  exchange.headers = { ...exchange.headers, 'cross-origin-opener-policy': 'unsafe-none' }
}

/**
 * The user's browser navigates to both routes, so they always end on a page with a message. The sign-in page takes it
 * from `oidc`: `refused` (the same for unknown and refused users) or `failed`.
 */
export async function beginOidc({ provider, flows, limit, sessions }: OidcParts, exchange: Exchange): Promise<void> {
  const to = ownPath(queryOf(exchange).get('to'))
  keepOpener(exchange)
  try {
    if (limit.take(placeOf(exchange.ip)).waitMs > 0) throw new Error('too many', { cause: { code: 'TOO_MANY' } })
    const { url, flow } = await provider.begin()
    sendRedirect(exchange, url.href, [flows.start({ ...flow, to, former: sessions.find(exchange.request) })])
  } catch (error) {
    tell(exchange, error)
    sendRedirect(exchange, pageOf('failed', to), [flows.forget()])
  }
}

export async function finishOidc(parts: OidcParts, exchange: Exchange): Promise<void> {
  const { flows, publicUrl, provider } = parts
  keepOpener(exchange)
  const flow = flows.take(exchange.request)
  if (!flow) return sendRedirect(exchange, pageOf('failed', '/'), [flows.forget()])
  try {
    const email = await provider.finish(new URL(exchange.request.url ?? '', publicUrl), flow)
    const cookie = email === undefined ? undefined : await enter(parts, exchange, { email, former: flow.former })
    const page = cookie === undefined ? pageOf('refused', flow.to) : flow.to
    sendRedirect(exchange, page, cookie === undefined ? [flows.forget()] : [flows.forget(), cookie])
  } catch (error) {
    tell(exchange, error)
    sendRedirect(exchange, pageOf('failed', flow.to), [flows.forget()])
  }
}

/** Signs in existing users only; the provider creates none. */
async function enter(
  { people, sessions }: OidcParts,
  exchange: Exchange,
  { email, former }: { email: string; former: Session | undefined },
): Promise<string | undefined> {
  const known = await people.findByEmail(email)
  if (!known) return undefined
  if (former) await people.signOut(former, exchange.ip)
  const { user, session } = await people.signIn(known, 'oidc', exchange)
  return sessions.begin(user, session)
}

function tell({ id }: Exchange, error: unknown): void {
  console.error(`proxy: the sign-in through the identity provider in request ${id} failed: ${reasonOf(error)}`)
}
