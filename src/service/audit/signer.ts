import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

/** The bytes before the 32 bytes of an Ed25519 private key in PKCS 8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface Signer {
  /** DER (SPKI) in base64. */
  readonly publicKey: string
  /** Base64. */
  sign(statement: string): string
}

/** @param seed 32 bytes */
export function createSigner(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  return {
    publicKey,
    sign: (statement) => sign(null, Buffer.from(statement), key).toString('base64'),
  }
}

/** Also false for an invalid key or signature. */
export function isSigned(publicKey: string, statement: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: fromBase64(publicKey), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(statement), key, fromBase64(signature))
  } catch {
    return false
  }
}

/** Decoding is lenient: another last character may give the same bytes. Only the canonical text is accepted here. */
function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new Error('This is not how these bytes are written.')
  return bytes
}
