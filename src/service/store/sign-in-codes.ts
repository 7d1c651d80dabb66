import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import type { AdministeredOrganization } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import type { Vault } from '../secrets.ts'

const MINUTE = 60_000
const VALID_MS = 10 * MINUTE
/** Of one code. */
const MAX_ATTEMPTS = 5
/** So many wrong attempts within an hour lock the address for an hour: at most 240 guesses of a million a day. */
const MAX_WRONG = 10
const COUNTED_MS = 60 * MINUTE
const LOCKED_MS = 60 * MINUTE
/** After this long nothing of a row matters any more. */
const KEPT_MS = 2 * 60 * MINUTE

type Attempt = Reply<Api['signInCodes']['redeem']>

/** A new code in place of any former one, for an address that may be nobody's. */
export async function createCode(
  db: Db,
  vault: Vault,
  organization: AdministeredOrganization,
  { email: address, browser }: { email: string; browser?: string | undefined },
): Promise<Reply<Api['signInCodes']['create']>> {
  const { now } = organization.actor
  const { locked_until } = await lockAddress(db, organization, address)
  if (isAhead(locked_until, now)) return { code: null, retry_after: secondsUntil(locked_until, now) }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await update(db, organization, address, {
    code_sealed: sealerOf(vault).seal(code),
    expires_at: new Date(now.getTime() + VALID_MS),
    attempts: 0,
    browser_hash: hashOfBrowser(browser),
  })
  return { code, retry_after: null }
}

/**
 * Only attempts that might have succeeded count: nobody is locked out by codes that were never asked for, or by a browser
 * that did not ask for them.
 */
export async function redeemCode(
  db: Db,
  vault: Vault,
  organization: AdministeredOrganization,
  { email, code, browser }: { email: string; code: string; browser?: string | undefined },
): Promise<Attempt> {
  const { now } = organization.actor
  const row = await lockAddress(db, organization, email)
  if (isAhead(row.locked_until, now)) {
    return { outcome: 'locked', retry_after: secondsUntil(row.locked_until, now), locked_now: false }
  }
  const wrong: Attempt = { outcome: 'wrong', retry_after: null, locked_now: false }
  if (!row.code_sealed || !isAhead(row.expires_at, now) || row.attempts >= MAX_ATTEMPTS) return wrong
  if (!isSameBrowser(row.browser_hash, hashOfBrowser(browser))) return wrong
  if (timingSafeEqual(Buffer.from(sealerOf(vault).open(row.code_sealed)), Buffer.from(code))) {
    await update(db, organization, email, { code_sealed: null, wrong: 0, counting_since: null })
    return { ...wrong, outcome: 'right' }
  }
  const counting = isAhead(row.counting_since, new Date(now.getTime() - COUNTED_MS))
  const count = counting ? row.wrong + 1 : 1
  if (count < MAX_WRONG) {
    const counting_since = counting ? row.counting_since : now
    await update(db, organization, email, { attempts: row.attempts + 1, wrong: count, counting_since })
    return wrong
  }
  const locked_until = new Date(now.getTime() + LOCKED_MS)
  await update(db, organization, email, { code_sealed: null, wrong: 0, counting_since: null, locked_until })
  return { outcome: 'locked', retry_after: LOCKED_MS / 1000, locked_now: true }
}

const hashOfBrowser = (browser: string | undefined) =>
  browser === undefined ? null : createHash('sha256').update(browser).digest()

function isSameBrowser(asked: Buffer | null, tries: Buffer | null): boolean {
  return asked === null || tries === null ? asked === tries : timingSafeEqual(asked, tries)
}

/** Removes what does not matter any more. */
export async function sweepCodes(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_codes')
    .where('updated_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
    .execute()
}

const sealerOf = (vault: Vault) => vault.sealerFor('sign-in codes')

/** The row of the address, new where there was none, held until the end of the transaction. */
async function lockAddress(db: Db, { id, actor }: AdministeredOrganization, address: string) {
  const email = address.toLowerCase()
  await db
    .insertInto('sign_in_codes')
    .values({ organization_id: id, email, updated_at: actor.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('organization_id', '=', id)
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

interface Changes {
  code_sealed?: Buffer | null
  expires_at?: Date
  attempts?: number
  wrong?: number
  counting_since?: Date | string | null
  locked_until?: Date
  browser_hash?: Buffer | null
}

async function update(db: Db, { id, actor }: AdministeredOrganization, address: string, changes: Changes) {
  await db
    .updateTable('sign_in_codes')
    .set({ ...changes, updated_at: actor.now })
    .where('organization_id', '=', id)
    .where('email', '=', address.toLowerCase())
    .execute()
}

function isAhead(time: string | null, now: Date): time is string {
  return time !== null && new Date(time) > now
}

function secondsUntil(time: string, now: Date): number {
  return Math.ceil((new Date(time).getTime() - now.getTime()) / 1000)
}
