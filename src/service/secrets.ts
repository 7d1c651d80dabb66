import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const IV = 12
const TAG = 16

/** Authenticated encryption, AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. */
export interface Sealer {
  seal(plain: string): Buffer
  /** @throws Error for data that this key did not seal */
  open(sealed: Buffer): string
}

/** Seals secrets at rest and derives keys for other purposes, all from the master key. */
export interface Vault extends Sealer {
  sealerFor(purpose: string): Sealer
  /** 32 bytes, the same at every start. */
  keyFor(purpose: string): Buffer
}

/** @param masterKey 64 hex characters. */
export function openVault(masterKey: string): Vault {
  const master = Buffer.from(masterKey, 'hex')
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `strongroom ${purpose}`, 32))
  const sealerFor = (purpose: string) => createSealer(keyFor(purpose))
  return { ...sealerFor('secrets at rest'), sealerFor, keyFor }
}

/** @param key 32 bytes */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(plain) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
      decipher.setAuthTag(sealed.subarray(IV, IV + TAG))
      return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]).toString('utf8')
    },
  }
}

/** Finds a user by token without storing a readable token. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Distinguishes a replaced secret from the one before, and reveals nothing about either. */
export const stampOf = (sealed: Buffer): string => createHash('sha256').update(sealed).digest('base64url').slice(0, 16)

/** 40 lower-case hex (decisions, section 1). */
export const newToken = (): string => randomBytes(20).toString('hex')
