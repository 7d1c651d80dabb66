import { encrypt } from '../../../signing/sealer.ts'

// deploy/sealed-format.md specifies this format; src/reader/ reads it.

export const KEY_BYTES = 32

/** Authenticated data that binds a part to its place: 0 is the facts, pages count from 1, `key` is the wrapped key. */
export const boundTo = (copyId: string, part: number | 'key'): Buffer =>
  Buffer.from(`strongroom-sealed 1 ${copyId} ${part}`)

/** AES-256-GCM: nonce, ciphertext, tag. */
export function sealPart(key: Buffer, copyId: string, part: number | 'key', plain: Buffer): Buffer {
  const { nonce, ciphertext, tag } = encrypt(key, plain, boundTo(copyId, part))
  return Buffer.concat([nonce, ciphertext, tag])
}
