import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const VALID_MS = 10 * 60_000
const MAX_ATTEMPTS = 5
const MAX_CODES = 100_000

/** Sign-in codes: six digits, valid ten minutes and five attempts, one at a time for an address. */
export interface Codes {
  /** A new code in place of any former one. */
  issue(email: string): string
  /** Whether this is the address's code; a right one is used up. */
  redeem(email: string, code: string): boolean
}

interface Issued {
  hash: Buffer
  expires: number
  attempts: number
}

export function createCodes(clock: () => Date): Codes {
  // A million codes are quickly tried against a plain hash; not so without the key.
  const key = randomBytes(32)
  const hashOf = (email: string, code: string) => createHmac('sha256', key).update(`${email}\0${code}`).digest()
  const issued = new Map<string, Issued>()

  function forgetOld(now: number): void {
    for (const [email, { expires }] of issued) {
      if (expires > now && issued.size <= MAX_CODES) return
      issued.delete(email)
    }
  }

  return {
    issue(email) {
      const now = clock().getTime()
      forgetOld(now)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      issued.delete(email)
      issued.set(email, { hash: hashOf(email, code), expires: now + VALID_MS, attempts: 0 })
      return code
    },
    redeem(email, code) {
      const entry = issued.get(email)
      // Without a code the same work is done: the time does not tell.
      const isRight = timingSafeEqual(hashOf(email, code), entry?.hash ?? key)
      if (!entry) return false
      entry.attempts += 1
      const isValid = entry.expires > clock().getTime() && entry.attempts <= MAX_ATTEMPTS
      if (isRight || !isValid) issued.delete(email)
      return isRight && isValid
    },
  }
}
