import type { KeyRequest, Released } from './crypto.ts'
import type { Envelope } from './sealed-file.ts'
import { refusalOf, textOf } from './words.ts'

const WINDOW = 'popup,width=520,height=680'
const LOOK_MS = 500
const PATIENCE_MS = 15 * 60_000

/** The document was not opened; the message tells the reader why. */
export class NotOpened extends Error {}

export interface UserCode {
  user_code: string
  /** Seconds between two polls; `expires_in` is the seconds until the code expires. */
  interval: number
  expires_in: number
}

type Answer = ({ status: 'released' } & Released) | { status: 'pending' } | ({ status: 'asked' } & UserCode)

/** The only call that a page without an origin may make: without cookies, with nothing but `body`. */
async function post(service: string, body: Record<string, string>): Promise<Answer> {
  const call = { method: 'POST', body: JSON.stringify(body), credentials: 'omit', cache: 'no-store' } as const
  const response = await fetch(`${service}/sealed/key`, call).catch(() => undefined)
  if (!response) throw new NotOpened(textOf('unreachable', { host: hostOf(service) }))
  const reply = (await response.json().catch(() => ({}))) as Answer & { error?: { reason?: string; message?: string } }
  if (response.ok) return reply
  throw new NotOpened(refusalOf(reply.error ?? {}))
}

export const hostOf = (service: string): string => new URL(service).host

/** Opens the window in which the reader signs in, only right after a click; returns null if the browser blocks it. */
export function openWindow({ service, copy_id, workspace_id }: Envelope, { challenge }: KeyRequest): Window | null {
  return window.open(
    `${service}/sealed/open?workspace=${workspace_id}&copy=${copy_id}&challenge=${challenge}`,
    '_blank',
    WINDOW,
  )
}

/** @throws NotOpened when the window is closed before it has given a code */
export async function keyByWindow(envelope: Envelope, request: KeyRequest, opened: Window): Promise<CryptoKey> {
  const code = await codeFrom(envelope, opened)
  return redeem(envelope, request, { code })
}

function codeFrom({ service, copy_id }: Envelope, opened: Window): Promise<string> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearInterval(look)
      window.removeEventListener('message', listen)
    }
    const listen = (event: MessageEvent<{ type?: unknown; copy_id?: unknown; code?: unknown } | null>) => {
      if (event.origin !== service || event.source !== opened || event.data === null) return
      const { type, copy_id: of, code } = event.data
      if (type !== 'strongroom-sealed' || of !== copy_id || typeof code !== 'string') return
      stop()
      done(code)
    }
    const look = setInterval(() => {
      if (!opened.closed) return
      stop()
      fail(new NotOpened(textOf('window_closed')))
    }, LOOK_MS)
    window.addEventListener('message', listen)
  })
}

export async function askForCode({ service, copy_id }: Envelope, { challenge }: KeyRequest): Promise<UserCode> {
  const answer = await post(service, { action: 'ask', copy_id, challenge })
  if (answer.status !== 'asked') throw new NotOpened(textOf('try_again'))
  return answer
}

/** Waits until a user has entered the code. @throws NotOpened if the code is refused, after 15 min, or if `stopped` */
export async function keyByCode(
  envelope: Envelope,
  request: KeyRequest,
  { interval }: UserCode,
  stopped: AbortSignal,
): Promise<CryptoKey> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    await pause(interval * 1000, stopped)
    if (stopped.aborted) break
    const key = await redeem(envelope, request, {}).catch((error: unknown) => {
      if (error instanceof StillPending) return undefined
      throw error
    })
    if (key) return key
  }
  throw new NotOpened(textOf('not_opened'))
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((next) => {
    setTimeout(next, ms)
    stopped.addEventListener('abort', () => next())
  })
}

class StillPending extends Error {}

async function redeem(
  { service, copy_id }: Envelope,
  request: KeyRequest,
  code: Record<string, string>,
): Promise<CryptoKey> {
  const { verifier, publicKey: public_key } = request
  const answer = await post(service, { action: 'redeem', copy_id, verifier, public_key, ...code })
  if (answer.status !== 'released') throw new StillPending()
  return request.unwrap(answer)
}
