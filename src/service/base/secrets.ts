import { hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { createSealer, type Sealer } from '../../signing/sealer.ts'
import { keyOf } from '../../signing/signature.ts'

/** Seals secrets at rest and derives keys for other purposes, all from the master key. */
export interface Vault extends Sealer {
  sealerFor(purpose: string): Sealer
  /** 32 bytes, the same at every start. */
  keyFor(purpose: string): Buffer
  /** Opens a sealed secret as a key for signatures. The same sealed bytes give the same key again. */
  openKey(sealed: Buffer): KeyObject
}

/** Opened keys that are kept. A rotated key is sealed anew, so it is another one. */
const MAX_KEYS = 10_000

/** @param masterKey 64 hex characters. */
export function openVault(masterKey: string): Vault {
  const master = Buffer.from(masterKey, 'hex')
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `strongroom ${purpose}`, 32))
  const sealerFor = (purpose: string) => createSealer(keyFor(purpose))
  const atRest = sealerFor('secrets at rest')
  const keys = new Map<string, KeyObject>()

  function openKey(sealed: Buffer): KeyObject {
    const name = sealed.toString('latin1')
    const known = keys.get(name)
    if (known) return known
    const key = keyOf(atRest.open(sealed))
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(name, key)
    return key
  }

  return { ...atRest, sealerFor, keyFor, openKey }
}

/** Finds a user by token without storing a readable token. */
export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Distinguishes a replaced secret from the one before, and reveals nothing about either. */
export const stampOf = (sealed: Buffer): string => hash('sha256', sealed, 'base64url').slice(0, 16)

/** 40 lower-case hex (decisions, section 1). */
export const newToken = (): string => randomBytes(20).toString('hex')
