import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV = 12
const TAG = 16

/** Encrypts cookies so that only proxies with the same master key can read or create them. */
export interface Sealer {
  seal(plain: string): string
  /** @throws Error for anything that was not sealed for this purpose */
  open(value: string): string
}

/**
 * AES-256-GCM: nonce, tag, ciphertext, as base64url. Each purpose has its own key, so values do not work for another
 * purpose.
 */
export function createSealer(masterKey: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', `strongroom proxy ${purpose}`, 32))
  return {
    seal(plain) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(value) {
      const sealed = Buffer.from(value, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
      decipher.setAuthTag(sealed.subarray(IV, IV + TAG))
      return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]).toString('utf8')
    },
  }
}
