import { type Mail, RefusedByServer, Undeliverable } from '../../mail/transport.ts'
import type { Log } from '../../wire/log.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

/** Members whose mails are written together, mails that are sent side by side, and the time for each. */
export const BATCH = 20
const AT_ONCE = 10
const SEND_MS = 30_000

export interface DeliveryMeans {
  db: Db
  tokens: UnsubscribeTokens
  publicUrl: string
  send: (mail: Mail, options: { signal: AbortSignal }) => Promise<void>
  log: Pick<Log, 'info' | 'warn'>
}

/** One go through all members for whom a mail is due. */
export interface Pass {
  now: Date
  stop: AbortSignal
  /** The mail server answered none of the last mails, so that no more are tried in this pass. */
  isAway: boolean
  /** With the reason of the last. */
  unsent: { mails: number; err: unknown }
}

export const newPass = (now: Date, stop: AbortSignal): Pass => ({
  now,
  stop,
  isAway: false,
  unsent: { mails: 0, err: undefined },
})

interface Letters<Member> {
  workspaceId: number
  /** Claimed by this worker. */
  members: readonly Member[]
  /** Members without a mail get none, and not later either. */
  write: () => Promise<{ user_id: number; mail: Mail }[]>
  /** Lets mails that were not handed over come again later. */
  putOff: (tx: Db, late: readonly Member[]) => Promise<void>
}

type Outcome = 'taken' | 'refused' | 'given up' | 'late' | 'unanswered'
const AGAIN: readonly Outcome[] = ['late', 'unanswered']

/** Hands over mails to some members of a workspace. @returns how many the server took */
export async function deliverToMembers<Member extends { user_id: number }>(
  { db, send }: Pick<DeliveryMeans, 'db' | 'send'>,
  pass: Pass,
  { workspaceId, members, write, putOff }: Letters<Member>,
): Promise<number> {
  const late = new Map(members.map((member) => [member.user_id, member]))
  const outcomes: Record<Outcome, number[]> = { taken: [], refused: [], 'given up': [], late: [], unanswered: [] }
  try {
    const letters = await write()
    const written = new Set(letters.map(({ user_id }) => user_id))
    for (const { user_id } of members) if (!written.has(user_id)) late.delete(user_id)
    const handOver = async ({ user_id, mail }: (typeof letters)[number]) => {
      const outcome = await deliver(send, mail, pass)
      if (!AGAIN.includes(outcome)) late.delete(user_id)
      outcomes[outcome].push(user_id)
    }
    for (let from = 0; from < letters.length; from += AT_ONCE)
      await Promise.all(letters.slice(from, from + AT_ONCE).map(handOver))
    pass.isAway = letters.length > 0 && outcomes.unanswered.length === letters.length
  } finally {
    await transaction(db, async (tx) => {
      await putOff(tx, [...late.values()])
      await noteOutcomes(tx, workspaceId, outcomes, pass.now)
    })
  }
  return outcomes.taken.length
}

async function deliver(send: DeliveryMeans['send'], mail: Mail, { stop, unsent }: Pass): Promise<Outcome> {
  try {
    await send(mail, { signal: AbortSignal.any([stop, AbortSignal.timeout(SEND_MS)]) })
    return 'taken'
  } catch (error) {
    if (error instanceof RefusedByServer) return 'refused'
    unsent.mails++
    unsent.err = error
    if (error instanceof Undeliverable) return 'given up'
    const isOfMail = ['EENVELOPE', 'EMESSAGE'].includes((error as NodeJS.ErrnoException).code ?? '')
    return isOfMail ? 'late' : 'unanswered'
  }
}

/** Headers of a mail that its reader has chosen, and ends with one click (RFC 8058). */
export const endedBy = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
})
