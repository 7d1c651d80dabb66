import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createSealer, type Sealer } from '../../signing/sealer.ts'

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

/** Finds a user by token without storing a readable token. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Distinguishes a replaced secret from the one before, and reveals nothing about either. */
export const stampOf = (sealed: Buffer): string => createHash('sha256').update(sealed).digest('base64url').slice(0, 16)

/** 40 lower-case hex (decisions, section 1). */
export const newToken = (): string => randomBytes(20).toString('hex')
