import { createCipheriv, randomBytes } from 'node:crypto'

// deploy/sealed-format.md specifies this format; src/reader/ reads it.

export const KEY_BYTES = 32
const NONCE = 12

/** Authenticated data that binds a part to its place: 0 is the facts, pages count from 1, `key` is the wrapped key. */
export const boundTo = (copyId: string, part: number | 'key'): Buffer =>
  Buffer.from(`strongroom-sealed 1 ${copyId} ${part}`)

/** AES-256-GCM: nonce, ciphertext, tag. */
export function sealPart(key: Buffer, copyId: string, part: number | 'key', plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(copyId, part))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}
