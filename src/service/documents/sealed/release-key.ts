import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { judgeOpening } from '../../access/judge-opening.ts'
import { recallActor } from '../../auth/recall-actor.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Vault } from '../../base/secrets.ts'
import { findOpenableCopy, type OpenableCopy } from '../../store/downloads/sealed-copies.ts'
import { insertWaiting, type Release, takeRelease, USER_CODE_SECONDS } from '../../store/downloads/sealed-releases.ts'
import { challengeOf, type WrappedKey, wrapKey } from './wrap-key.ts'

interface Means {
  db: Db
  vault: Vault
  clock: () => Date
}

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export const newCode = (): string => randomBytes(32).toString('base64url')

/** Excludes letters and digits that look alike. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

const newUserCode = (): string => Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Hashes a code, ignoring case and separators in what the user typed. */
export const userCodeHash = (typed: string): Buffer => hashOf(typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''))

const WAIT_SECONDS = 3

export interface Asked {
  user_code: string
  /** Seconds. */
  interval: number
  expires_in: number
}

/**
 * Issues a code for a reader without a window, which then waits until the user enters the code in the dashboard.
 * @throws ApiError 404
 */
export async function askForCode({ db, clock }: Means, copyId: string, challenge: string): Promise<Asked> {
  const copy = await findOpenableCopy(db, copyId)
  if (!copy) throw notFound()
  const code = newUserCode()
  const waiting = { challenge: Buffer.from(challenge, 'base64url'), user_code_hash: userCodeHash(code), now: clock() }
  await transaction(db, (tx) => insertWaiting(tx, copy, waiting))
  return { user_code: `${code.slice(0, 4)}-${code.slice(4)}`, interval: WAIT_SECONDS, expires_in: USER_CODE_SECONDS }
}

interface Redeemed {
  copyId: string
  verifier: string
  publicKey: string
  code: string | undefined
  ip: string
}

/**
 * Returns the key of a copy to the reader to which it was released. A release works once, and all rights are checked
 * again.
 * @throws ApiError 400, 403 or 404
 */
export async function redeemKey(means: Means, asked: Redeemed): Promise<WrappedKey | 'pending'> {
  const { db, vault, clock } = means
  const copy = await findOpenableCopy(db, asked.copyId)
  if (!copy) throw notFound()
  const challenge = challengeOf(asked.copyId, asked.verifier, asked.publicKey)
  const release = await takeRelease(db, copy, challenge, clock())
  if (release === 'pending') return 'pending'
  if (!release || !isCode(release.code_hash, asked.code)) throw refusal('release_code_wrong')
  await checkAgain(means, copy, release, asked.ip)
  return wrap(Buffer.from(vault.sealerFor('sealed copies').open(copy.key_sealed), 'base64'), asked, challenge)
}

/** A release whose code the user typed in has no code of a window, so none may be sent. */
function isCode(hash: Buffer | null, code: string | undefined): boolean {
  if (hash === null) return code === undefined
  return code !== undefined && timingSafeEqual(hash, hashOf(code))
}

/** The release ends with the session that it was made in. */
async function checkAgain(
  { db, clock }: Means,
  copy: OpenableCopy,
  { user_id: id, session_id }: Release,
  ip: string,
): Promise<void> {
  const known = { id, organization_id: copy.organization_id, personal_key_id: null, session_id }
  const actor = await recallActor(db, known, { ip, now: clock() })
  if (!actor || (await judgeOpening(db, actor, copy))) throw refusal('opening_over')
}

function wrap(key: Buffer, { copyId, publicKey }: Redeemed, challenge: Buffer): WrappedKey {
  try {
    return wrapKey(key, copyId, publicKey, challenge)
  } catch {
    throw refusal('not_a_public_key')
  }
}
