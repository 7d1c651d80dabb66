import { sql } from 'kysely'
import { placeOf } from '../../../wire/place-of.ts'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { tooMany, tooManyDownloads } from '../../base/errors.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

type Asker = Pick<Actor, 'organization_id' | 'now'>
type Inviter = Asker & Pick<Actor, 'id'>

interface Budget {
  /** Name of the counter, unique in the organization. */
  name: string
  count: number
  /** How many of them are spent at once; 1 unless given. */
  amount?: number
  windowMs: number
}

/** Mails that confirm an address: a stranger's mailbox gets at most ten a day, whatever the number of accounts. */
const confirming = (actor: Actor, email: string): Budget[] => [
  { name: `confirm from ${placeOf(actor.ip)}`, count: 60, windowMs: HOUR },
  { name: confirmingTo(email), count: 10, windowMs: DAY },
  { name: `confirm user ${actor.id}`, count: 5, windowMs: HOUR },
]

const confirmingTo = (email: string) => `confirm to ${mailboxOf(email)}`
const inviting = (email: string) => `invite ${mailboxOf(email)}`
const passing = (email: string) => `pass to ${mailboxOf(email)}`
const invitingBudget = (name: string): Budget => ({ name, count: 10, windowMs: HOUR })
const passingBudget = (name: string): Budget => ({ name, count: 20, windowMs: HOUR })
/** Any member of a team may make a workspace and write words of their own to strangers from it. */
const invitingBy = ({ id }: Inviter, amount: number) => dailyBudget(`invite by user ${id}`, amount)
const passingBy = ({ id }: Inviter, amount: number) => dailyBudget(`pass by user ${id}`, amount)
const dailyBudget = (name: string, amount: number): Budget => ({ name, count: 1000, amount, windowMs: DAY })

/** At many providers, tags and dots make many addresses of one mailbox. Such addresses share one budget here. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  return `${local.split('+')[0]?.replaceAll('.', '')}@${domain}`
}

/** @throws ApiError 429, with the same message whichever budget is used up */
export async function spendOnConfirming(db: Db, actor: Actor, email: string): Promise<void> {
  const wait = await spend(db, actor, confirming(actor, email))
  if (wait > 0) throw tooMany(wait)
}

/** @throws ApiError 429 after five tests of mails within an hour */
export async function spendOnTesting(db: Db, actor: Actor): Promise<void> {
  const wait = await spend(db, actor, [{ name: `test by user ${actor.id}`, count: 5, windowMs: HOUR }])
  if (wait > 0) throw tooMany(wait)
}

/** Counts an invitation to an address, in all workspaces. @returns seconds to wait; 0 if it may be sent */
export async function spendOnInviting(db: Db, actor: Asker, email: string): Promise<number> {
  return spend(db, actor, [invitingBudget(inviting(email))])
}

/** Does the same for a reminder, which carries words of its sender. */
export async function spendOnReminding(db: Db, actor: Inviter, email: string): Promise<number> {
  return spend(db, actor, [invitingBudget(inviting(email)), invitingBy(actor, 1)])
}

/**
 * Does the same for several addresses. Of addresses of one mailbox, only the first counts and may be sent to.
 * @returns the addresses that may be sent to
 */
export async function spendOnInvitingEach(db: Db, actor: Inviter, emails: readonly string[]): Promise<Set<string>> {
  return spendOnEach(db, actor, emails, { nameOf: inviting, budgetOf: invitingBudget, budgetBy: invitingBy })
}

/** Does the same for mails to experts that a question was passed to them, which have a budget of their own. */
export async function spendOnPassingEach(db: Db, actor: Inviter, emails: readonly string[]): Promise<Set<string>> {
  return spendOnEach(db, actor, emails, { nameOf: passing, budgetOf: passingBudget, budgetBy: passingBy })
}

interface MailKind {
  nameOf: (email: string) => string
  budgetOf: (name: string) => Budget
  budgetBy: (actor: Inviter, amount: number) => Budget
}

async function spendOnEach(
  db: Db,
  actor: Inviter,
  emails: readonly string[],
  { nameOf, budgetOf, budgetBy }: MailKind,
): Promise<Set<string>> {
  const firsts = new Map(emails.toReversed().map((email) => [nameOf(email), email]))
  const own = budgetBy(actor, firsts.size)
  const spent = await countOf(db, actor, [...[...firsts.keys()].map(budgetOf), own])
  const allowed = [...firsts].flatMap(([name, email]) => (spent.get(name)?.over === 0 ? [email] : []))
  return new Set(allowed.slice(0, Math.max(0, firsts.size - (spent.get(own.name)?.over ?? 0))))
}

/**
 * Counts the files and folders of a download, each of which leaves an entry in the activities for good, like the mails.
 * @throws ApiError 429 after as many as three large workspaces have
 */
export async function spendOnDownloading(db: Db, actor: Inviter, amount: number): Promise<void> {
  const name = `download by user ${actor.id}`
  const wait = await spend(db, actor, [{ name, count: 300_000, amount, windowMs: HOUR }])
  if (wait > 0) throw tooManyDownloads(wait)
}

async function spend(db: Db, asker: Asker, budgets: readonly Budget[]): Promise<number> {
  return Math.max(0, ...[...(await countOf(db, asker, budgets)).values()].map(({ wait }) => wait))
}

/** Counts in one statement, so that concurrent requests wait for each other and none slips through. */
async function countOf(
  db: Db,
  { organization_id, now }: Asker,
  budgets: readonly Budget[],
): Promise<Map<string, { over: number; wait: number }>> {
  const names = budgets.map(({ name }) => name)
  const amounts = budgets.map(({ amount = 1 }) => amount)
  const ends = budgets.map(({ windowMs }) => new Date(now.getTime() + windowMs).toISOString())
  const { rows } = await sql<{ name: string; count: number; ends_at: string }>`
    insert into mail_budgets as b (organization_id, name, count, ends_at)
    select ${organization_id}, name, amount, ends_at
    from unnest(${names}::text[], ${amounts}::int[], ${ends}::timestamptz[]) asked (name, amount, ends_at)
    on conflict (organization_id, name) do update set
      count = case when b.ends_at <= ${now} then excluded.count else b.count + excluded.count end,
      ends_at = case when b.ends_at <= ${now} then excluded.ends_at else b.ends_at end
    returning name, count, ends_at`.execute(db)
  const allowed = new Map(budgets.map(({ name, count }) => [name, count]))
  return new Map(
    rows.map(({ name, count, ends_at }) => {
      const over = Math.max(0, count - (allowed.get(name) ?? 0))
      return [name, { over, wait: over > 0 ? Math.ceil((new Date(ends_at).getTime() - now.getTime()) / 1000) : 0 }]
    }),
  )
}

/** Deletes the counters of these addresses. */
export async function forgetMailboxes(db: Db, organizationId: number, emails: readonly string[]): Promise<void> {
  const names = emails.flatMap((email) => [confirmingTo(email), inviting(email), passing(email)])
  await sql`delete from mail_budgets where organization_id = ${organizationId} and name = any(${names}::text[])`.execute(
    db,
  )
}

/** Removes expired windows. */
export async function sweepMailBudgets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mail_budgets').where('ends_at', '<=', now.toISOString()).execute()
}
