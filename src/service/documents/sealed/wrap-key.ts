import { createECDH, createHash, hkdfSync } from 'node:crypto'
import { boundTo, KEY_BYTES, sealPart } from './part.ts'

/** Returns the challenge of a reader's request: SHA-256 of the copy, the reader's secret and its ephemeral key. */
export function challengeOf(copyId: string, verifier: string, publicKey: string): Buffer {
  return createHash('sha256').update(`${copyId}\n${verifier}\n${publicKey}`).digest()
}

export interface WrappedKey {
  /** Ephemeral, P-256, uncompressed; base64url. */
  public_key: string
  /** base64url */
  wrapped_key: string
}

/**
 * Wraps the key of a copy so that only the holder of the reader's ephemeral key can open it.
 * @throws Error if the reader's key is not a point on the curve
 */
export function wrapKey(key: Buffer, copyId: string, readerKey: string, challenge: Buffer): WrappedKey {
  const own = createECDH('prime256v1')
  const public_key = own.generateKeys('base64url')
  const shared = own.computeSecret(Buffer.from(readerKey, 'base64url'))
  const wrapping = Buffer.from(hkdfSync('sha256', shared, challenge, boundTo(copyId, 'key'), KEY_BYTES))
  return { public_key, wrapped_key: sealPart(wrapping, copyId, 'key', key).toString('base64url') }
}
