import { type Bytes, fromBase64, fromText, toBase64Url } from './codec.ts'

// The format is specified in deploy/sealed-format.md.

/** Bytes. */
const NONCE = 12

/** Returns the text bound to a part: part 0 is the facts, pages count from 1, `key` is the wrapped key. */
export const boundTo = (copyId: string, part: number | 'key'): Bytes =>
  fromText(`strongroom-sealed 1 ${copyId} ${part}`)

/** @throws DOMException unless `sealed` is exactly this part of this copy */
export async function openPart(key: CryptoKey, copyId: string, part: number | 'key', sealed: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv: sealed.subarray(0, NONCE), additionalData: boundTo(copyId, part) }
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed.subarray(NONCE)))
}

/** The service's half of the key exchange. */
export interface Released {
  /** Ephemeral P-256 key, uncompressed. */
  public_key: string
  wrapped_key: string
}

/** A request for the key of a copy. A reply is useless without the private key, which never leaves this page. */
export interface KeyRequest {
  copyId: string
  verifier: string
  publicKey: string
  challenge: string
  unwrap(released: Released): Promise<CryptoKey>
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }

export async function createKeyRequest(copyId: string): Promise<KeyRequest> {
  const own = await crypto.subtle.generateKey(CURVE, false, ['deriveBits'])
  const publicKey = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey)))
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', fromText(`${copyId}\n${verifier}\n${publicKey}`))
  const challenge = new Uint8Array(digest)

  async function unwrap({ public_key, wrapped_key }: Released): Promise<CryptoKey> {
    const theirs = await crypto.subtle.importKey('raw', fromBase64(public_key), CURVE, false, [])
    const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256)
    const secret = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: challenge, info: boundTo(copyId, 'key') }
    const wrapping = await crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, [
      'decrypt',
    ])
    const raw = await openPart(wrapping, copyId, 'key', fromBase64(wrapped_key))
    return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt'])
  }

  return { copyId, verifier, publicKey, challenge: toBase64Url(challenge), unwrap }
}
