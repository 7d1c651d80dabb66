import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Organization } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { CountedRefusal, detailOf, notFound, refusal, refusalOf } from '../../base/errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Vault } from '../../base/secrets.ts'
import { forgetMailboxes, spendOnConfirming } from './mail-budgets.ts'

/** The same limits as for sign-in codes. */
const CODE_MS = 10 * 60_000
const MAX_ATTEMPTS = 5

/** A user's request for a new address. */
export interface EmailChange {
  organization_id: number
  user_id: number
  email: string
}

/** Whether `email_changes c` can still be confirmed: a change that is not confirmed expires after a day. */
export const isPending = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(c.created_at > ${now}::timestamptz - interval '24 hours')`

/**
 * Stores the address that the caller requests, in place of any former one, and queues the mail with a code. Nothing
 * here depends on whether the address is in use: the worker finds out and tells only the mailbox.
 * @throws ApiError 429
 */
export async function requestEmailChange(db: Db, { id, actor }: Organization, email: string): Promise<void> {
  await spendOnConfirming(db, actor, email)
  const asked = { email, code_hash: null, code_expires_at: null, attempts: 0, created_at: actor.now }
  await db
    .insertInto('email_changes')
    .values({ organization_id: id, user_id: actor.id, ...asked })
    .onConflict((conflicting) => conflicting.columns(['organization_id', 'user_id']).doUpdateSet(asked))
    .execute()
  await enqueue(db, 'email_code', { organization_id: id, user_id: actor.id, email }, actor.request_id)
}

/** @throws ApiError 404 if no change is pending */
export async function getEmailChange(db: Db, { id, actor }: Organization): Promise<EmailChange> {
  const row = await db
    .selectFrom('email_changes as c')
    .select(['organization_id', 'user_id', 'email'])
    .where('organization_id', '=', id)
    .where('user_id', '=', actor.id)
    .where(isPending(actor.now))
    .executeTakeFirst()
  return row ?? refuseAbsent()
}

function refuseAbsent(): never {
  throw notFound()
}

/** Withdraws every unconfirmed address that the user has requested, with its mail counts and queued jobs. */
export async function forgetEmailChanges(db: Db, organizationId: number, userId: number): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    with changes as (
      delete from email_changes where organization_id = ${organizationId} and user_id = ${userId} returning email
    ), codes as (
      delete from jobs where kind = 'email_code' and (payload->>'organization_id')::int = ${organizationId}
        and (payload->>'user_id')::int = ${userId} returning payload->>'email' as email
    )
    select email from changes union select email from codes`.execute(db)
  await forgetMailboxes(
    db,
    organizationId,
    rows.map(({ email }) => email),
  )
}

export async function deleteEmailChange(db: Db, organizationId: number, userId: number): Promise<void> {
  await db
    .deleteFrom('email_changes')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Tries a code of the caller's pending change. The attempt counts before the code is compared, and concurrent attempts
 * wait for each other here.
 * @returns the address that the code proves
 * @throws CountedRefusal 422, the same for a wrong code, an expired code and a change without a code
 */
export async function redeemEmailCode(db: Db, vault: Vault, { id, actor }: Organization, code: string) {
  const { rows } = await sql<{ email: string; code_hash: Buffer | null; is_open: boolean }>`
    update email_changes c set attempts = least(c.attempts + 1, ${MAX_ATTEMPTS + 1})
    where organization_id = ${id} and user_id = ${actor.id}
    returning c.email, c.code_hash,
      c.attempts <= ${MAX_ATTEMPTS} and coalesce(c.code_expires_at > ${actor.now}, false) as is_open`.execute(db)
  const { email = '', code_hash = null, is_open = false } = rows[0] ?? {}
  const isRight = timingSafeEqual(
    hashOfCode(vault, { organization_id: id, user_id: actor.id, email }, code),
    code_hash ?? randomBytes(32),
  )
  if (!isRight || !is_open) {
    throw refusalOf(detailOf('code', 'right_code'), 'invalid_field', CountedRefusal)
  }
  return email
}

/**
 * Gives the caller the proved address. If two users proved the same address, the unique index decides.
 * @throws ApiError 409 for the other user: only a reader of the mailbox can come this far
 */
export async function completeEmailChange(db: Db, { id, actor }: Organization, email: string): Promise<void> {
  try {
    await db
      .updateTable('users')
      .set({ email, email_verified_at: actor.now, mail_refused_at: null, updated_at: sql`now()` })
      .where('organization_id', '=', id)
      .where('id', '=', actor.id)
      .execute()
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== 'users_email') throw error
    throw refusal('address_taken')
  }
  await deleteEmailChange(db, id, actor.id)
}

/** The worker mails the code, or a notice that the address is in use. It mails nothing for a withdrawn change. */
export type EmailCode = { code: string } | 'in use' | 'withdrawn'

/** Makes the code only when it is mailed, so that nothing but its hash is ever stored. */
export async function makeEmailCode(db: Db, vault: Vault, change: EmailChange, now: Date): Promise<EmailCode> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ in_use: boolean }>`
      select exists (select from users u where u.organization_id = c.organization_id and u.deleted_at is null
        and lower(u.email) = lower(c.email)) as in_use
      from email_changes c
      where c.organization_id = ${change.organization_id} and c.user_id = ${change.user_id}
        and c.email = ${change.email} and ${isPending(now)}
      for update of c`.execute(tx)
    if (!rows[0]) return 'withdrawn'
    if (rows[0].in_use) return 'in use'
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await tx
      .updateTable('email_changes')
      .set({
        code_hash: hashOfCode(vault, change, code),
        code_expires_at: new Date(now.getTime() + CODE_MS),
        attempts: 0,
      })
      .where('organization_id', '=', change.organization_id)
      .where('user_id', '=', change.user_id)
      .execute()
    return { code }
  })
}

/** A code proves one address to one account. Trying the million codes against the hash requires the master key. */
export function hashOfCode(vault: Vault, { organization_id, user_id, email }: EmailChange, code: string): Buffer {
  const subject = JSON.stringify([organization_id, user_id, email, code])
  return createHash('sha256').update(vault.keyFor('e-mail change codes')).update(subject).digest()
}

/** Removes unconfirmed changes that have expired. */
export async function sweepEmailChanges(db: Db, now: Date): Promise<void> {
  await sql`delete from email_changes c where not ${isPending(now)}`.execute(db)
}
