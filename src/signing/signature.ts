import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** API description, Authentication: the four headers of every request. */
export const HEADERS = {
  key: 'x-api-key',
  token: 'x-api-user-token',
  signature: 'x-api-signature',
  expires: 'x-api-exp-date',
} as const

const PREFIX = 'Method=HMAC-SHA256 Signature='
const FORM = /^Method=HMAC-SHA256 Signature=([0-9a-f]{64})$/

export interface Credentials {
  /** Public key: 40 lower-case hex. */
  key: string
  /** Private key, used as UTF-8 text. Never sent. */
  secret: string
  /** User token: 40 lower-case hex. */
  token: string
}

/** Credentials whose secret is text, or a key made from it. */
type Signing = Omit<Credentials, 'secret'> & { secret: string | KeyObject }

/** Makes the key of a secret that signs or verifies many times. */
export const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret))

/** HMAC-SHA256 over key, token and expiry, in this order and without separators; lower-case hex. */
export function signatureOf({ key, secret, token }: Signing, expires: string): string {
  return createHmac('sha256', secret)
    .update(key + token + expires)
    .digest('hex')
}

/** The four headers of a request that expires at `expires` (Unix seconds, UTC). */
export function sign(credentials: Credentials, expires: number): Record<string, string> {
  return {
    [HEADERS.key]: credentials.key,
    [HEADERS.token]: credentials.token,
    [HEADERS.signature]: PREFIX + signatureOf(credentials, String(expires)),
    [HEADERS.expires]: String(expires),
  }
}

/**
 * Whether the signature header matches these credentials, compared in constant time. An empty secret matches nothing.
 */
export function verify(credentials: Signing, expires: string, header: string): boolean {
  const given = FORM.exec(header)?.[1]
  if (!given || isEmpty(credentials.secret)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(signatureOf(credentials, expires), 'hex'))
}

const isEmpty = (secret: string | KeyObject): boolean =>
  typeof secret === 'string' ? secret === '' : secret.symmetricKeySize === 0
