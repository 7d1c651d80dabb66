import { hkdfSync } from 'node:crypto'
import { createSealer } from '../signing/sealer.ts'

/** Encrypts cookies so that only proxies with the same master key can read or create them. */
export interface CookieSealer {
  /** Returns base64url. */
  seal(plain: string): string
  /** @throws Error for anything that was not sealed for this purpose */
  open(value: string): string
}

/** Each purpose has its own key, so values do not work for another purpose. */
export function createCookieSealer(masterKey: string, purpose: string): CookieSealer {
  const key = hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', `strongroom proxy ${purpose}`, 32)
  const { seal, open } = createSealer(Buffer.from(key))
  return {
    seal: (plain) => seal(plain).toString('base64url'),
    open: (value) => open(Buffer.from(value, 'base64url')),
  }
}
