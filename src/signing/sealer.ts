import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// AES-256-GCM. All encryption of service and proxy goes through here.

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Encrypted {
  nonce: Buffer
  ciphertext: Buffer
  tag: Buffer
}

/**
 * Encrypts with a fresh nonce.
 * @param key 32 bytes
 * @param boundTo authenticated data: decryption fails without the same data
 */
export function encrypt(key: Buffer, plain: Buffer, boundTo?: Buffer): Encrypted {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  if (boundTo) cipher.setAAD(boundTo)
  return { nonce, ciphertext: Buffer.concat([cipher.update(plain), cipher.final()]), tag: cipher.getAuthTag() }
}

/** Authenticated encryption of texts: 12 bytes nonce, 16 bytes tag, ciphertext. */
export interface Sealer {
  seal(plain: string): Buffer
  /** @throws Error for data that this key did not seal */
  open(sealed: Buffer): string
}

/** @param key 32 bytes */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(plain) {
      const { nonce, tag, ciphertext } = encrypt(key, Buffer.from(plain))
      return Buffer.concat([nonce, tag, ciphertext])
    },
    open(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
  }
}
