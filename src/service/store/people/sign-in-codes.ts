import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredOrganization } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { tooMany } from '../../base/errors.ts'
import type { Vault } from '../../base/secrets.ts'

const MINUTE = 60_000
const VALID_MS = 10 * MINUTE
/** Per code. */
const MAX_ATTEMPTS = 5
/** This many wrong attempts within an hour lock the address for an hour: at most 240 guesses of a million a day. */
const MAX_WRONG = 10
const COUNTED_MS = 60 * MINUTE
const LOCKED_MS = 60 * MINUTE
/** Browsers with a valid code for one address, whoever asks. The proxies together mail five codes in 15 minutes. */
const MAX_LIVE = 10
/** After this long, no column of an address row matters any more. */
const KEPT_MS = 2 * 60 * MINUTE

type Attempt = Reply<Api['signInCodes']['redeem']>

/**
 * Makes a code that replaces the former code of the same browser. Codes of other browsers stay valid. The address need
 * not belong to a user.
 * @throws ApiError 429 while too many browsers hold a code for the address
 */
export async function createCode(
  db: Db,
  vault: Vault,
  organization: AdministeredOrganization,
  { email: address, browser }: { email: string; browser?: string | undefined },
): Promise<Reply<Api['signInCodes']['create']>> {
  const { now } = organization.actor
  const { locked_until } = await lockAddress(db, organization, address)
  if (isAhead(locked_until, now)) return { code: null, retry_after: secondsUntil(locked_until, now) }
  const key = keyOf(organization, address, browser)
  await requireRoom(db, key, now)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const made = {
    code_sealed: sealerOf(vault).seal(code),
    expires_at: new Date(now.getTime() + VALID_MS),
    attempts: 0,
  }
  await db
    .insertInto('sign_in_codes')
    .values({ ...key, ...made })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email', 'browser_hash']).doUpdateSet(made))
    .execute()
  return { code, retry_after: null }
}

interface CodeKey {
  organization_id: number
  email: string
  browser_hash: Buffer
}

const keyOf = ({ id }: AdministeredOrganization, address: string, browser: string | undefined): CodeKey => ({
  organization_id: id,
  email: address.toLowerCase(),
  browser_hash: browser === undefined ? Buffer.alloc(0) : createHash('sha256').update(browser).digest(),
})

/** Refuses the new code rather than remove an older one, so that earlier requests keep their codes. */
async function requireRoom(db: Db, { organization_id, email, browser_hash }: CodeKey, now: Date): Promise<void> {
  const { live, free_at } = await db
    .selectFrom('sign_in_codes')
    .select((row) => [row.fn.countAll<number>().as('live'), row.fn.min<string | null>('expires_at').as('free_at')])
    .where('organization_id', '=', organization_id)
    .where('email', '=', email)
    .where('browser_hash', '<>', browser_hash)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  if (live >= MAX_LIVE && free_at !== null) throw tooMany(secondsUntil(free_at, now))
}

/**
 * Counts only attempts that could have succeeded: a user is not locked out by attempts without a requested code, or
 * from a browser that did not request one. Attempts count per address, for all of its codes together.
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
  const key = keyOf(organization, email, browser)
  const asked = await findCode(db, key, now)
  if (!asked) return wrong
  if (timingSafeEqual(Buffer.from(sealerOf(vault).open(asked.code_sealed)), Buffer.from(code))) {
    await deleteCode(db, key)
    await updateAddress(db, organization, email, { wrong: 0, counting_since: null })
    return { ...wrong, outcome: 'right' }
  }
  const counting = isAhead(row.counting_since, new Date(now.getTime() - COUNTED_MS))
  const count = counting ? row.wrong + 1 : 1
  if (count < MAX_WRONG) {
    if (asked.attempts + 1 >= MAX_ATTEMPTS) await deleteCode(db, key)
    else await countAttempt(db, key)
    await updateAddress(db, organization, email, { wrong: count, counting_since: counting ? row.counting_since : now })
    return wrong
  }
  const locked_until = new Date(now.getTime() + LOCKED_MS)
  await deleteCodes(db, key)
  await updateAddress(db, organization, email, { wrong: 0, counting_since: null, locked_until })
  return { outcome: 'locked', retry_after: LOCKED_MS / 1000, locked_now: true }
}

const ofKey = ({ organization_id, email, browser_hash }: CodeKey) =>
  sql<boolean>`organization_id = ${organization_id} and email = ${email} and browser_hash = ${browser_hash}`

const findCode = (db: Db, key: CodeKey, now: Date) =>
  db
    .selectFrom('sign_in_codes')
    .select(['code_sealed', 'attempts'])
    .where(ofKey(key))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

const countAttempt = (db: Db, key: CodeKey) =>
  db
    .updateTable('sign_in_codes')
    .set({ attempts: sql`attempts + 1` })
    .where(ofKey(key))
    .execute()

const deleteCode = (db: Db, key: CodeKey) => db.deleteFrom('sign_in_codes').where(ofKey(key)).execute()

const deleteCodes = (db: Db, { organization_id, email }: CodeKey) =>
  db.deleteFrom('sign_in_codes').where('organization_id', '=', organization_id).where('email', '=', email).execute()

/** Removes expired codes, and addresses whose rows no longer matter. */
export async function sweepCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_codes').where('expires_at', '<=', now.toISOString()).execute()
  await db
    .deleteFrom('sign_in_addresses')
    .where('updated_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
    .execute()
}

const sealerOf = (vault: Vault) => vault.sealerFor('sign-in codes')

/** Locks the row of the address until the end of the transaction. Inserts the row if it is absent. */
async function lockAddress(db: Db, { id, actor }: AdministeredOrganization, address: string) {
  return db
    .insertInto('sign_in_addresses')
    .values({ organization_id: id, email: address.toLowerCase(), updated_at: actor.now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet({ updated_at: actor.now }))
    .returning(['wrong', 'counting_since', 'locked_until'])
    .executeTakeFirstOrThrow()
}

interface Changes {
  wrong: number
  counting_since: Date | string | null
  locked_until?: Date
}

async function updateAddress(db: Db, { id }: AdministeredOrganization, address: string, changes: Changes) {
  await db
    .updateTable('sign_in_addresses')
    .set(changes)
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
