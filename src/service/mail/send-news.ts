import { type Mail, RefusedByServer, Undeliverable } from '../../mail/transport.ts'
import type { Log } from '../../wire/log.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { findSenderName } from '../store/branding/sender.ts'
import {
  claimDue,
  type DueMember,
  listWorkspacesWithDue,
  putOff,
  SETTLED_MS,
} from '../store/notifications/due-members.ts'
import { type MemberNews, readNews } from '../store/notifications/member-news.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import { readSlots, type Slots } from '../store/notifications/slots.ts'
import { writeNews } from './news-mail.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

/** Members whose news one statement reads, mails that are sent side by side, and the time for each. */
const BATCH = 20
const AT_ONCE = 10
const SEND_MS = 30_000

export interface NewsMeans {
  db: Db
  tokens: UnsubscribeTokens
  publicUrl: string
  send: (mail: Mail, options: { signal: AbortSignal }) => Promise<void>
  log: Pick<Log, 'info' | 'warn'>
}

/** Mails everybody the news that are due at `now`. @returns how many mails were handed over */
export async function sendNews(means: NewsMeans, now: Date, stop: AbortSignal): Promise<number> {
  const asOf = new Date(now.getTime() - SETTLED_MS)
  const slots = await readSlots(means.db, asOf)
  const pass: Pass = { now, asOf, slots, stop, isAway: false, unsent: { mails: 0, err: undefined } }
  let sent = 0
  for (const workspaceId of await listWorkspacesWithDue(means.db, slots, asOf))
    sent += await sendInWorkspace(means, workspaceId, pass)
  if (sent > 0) means.log.info({ mails: sent }, 'mailed news')
  if (pass.unsent.mails > 0) means.log.warn(pass.unsent, 'mails of news were not handed over')
  return sent
}

interface Pass {
  now: Date
  asOf: Date
  slots: Slots
  stop: AbortSignal
  /** The mail server answered none of the last mails, so that no more are tried in this pass. */
  isAway: boolean
  /** With the reason of the last. */
  unsent: { mails: number; err: unknown }
}

async function sendInWorkspace(means: NewsMeans, workspaceId: number, pass: Pass): Promise<number> {
  for (let sent = 0; ;) {
    if (pass.stop.aborted || pass.isAway) return sent
    const members = await claimDue(means.db, workspaceId, { ...pass, most: BATCH })
    if (members.length === 0) return sent
    sent += await sendBatch(means, workspaceId, members, pass)
  }
}

async function sendBatch(means: NewsMeans, workspaceId: number, members: DueMember[], pass: Pass): Promise<number> {
  const late = new Set(members)
  const outcomes: Record<Outcome, number[]> = { taken: [], refused: [], 'given up': [], late: [], unanswered: [] }
  try {
    const today = pass.now.toISOString().slice(0, 10)
    const [waiting, sender] = await Promise.all([
      readNews(means.db, workspaceId, members, { until: pass.asOf, today }),
      findSenderName(means.db, workspaceId),
    ])
    for (const each of members) if (!waiting.some(({ user_id }) => user_id === each.user_id)) late.delete(each)
    const handOver = async (news: MemberNews) => {
      const outcome = await deliver(means, workspaceId, { ...news, sender }, pass)
      if (!AGAIN.includes(outcome)) late.delete(members.find(({ user_id }) => user_id === news.user_id) as DueMember)
      outcomes[outcome].push(news.user_id)
    }
    for (let from = 0; from < waiting.length; from += AT_ONCE)
      await Promise.all(waiting.slice(from, from + AT_ONCE).map(handOver))
    pass.isAway = waiting.length > 0 && outcomes.unanswered.length === waiting.length
  } finally {
    await transaction(means.db, async (tx) => {
      await putOff(tx, workspaceId, [...late], pass.now)
      await noteOutcomes(tx, workspaceId, outcomes, pass.now)
    })
  }
  return outcomes.taken.length
}

type Outcome = 'taken' | 'refused' | 'given up' | 'late' | 'unanswered'
const AGAIN: readonly Outcome[] = ['late', 'unanswered']

async function deliver(
  { tokens, publicUrl, send }: NewsMeans,
  workspaceId: number,
  news: MemberNews & { sender: string | null },
  { stop, unsent }: Pass,
): Promise<Outcome> {
  const token = tokens.make({ workspace_id: workspaceId, user_id: news.user_id, membership_id: news.membership_id })
  const links = {
    workspace: `${publicUrl}/workspaces/${workspaceId}`,
    settings: `${publicUrl}/account`,
    unsubscribe: `${publicUrl}/unsubscribe/${token}`,
  }
  try {
    const mail = { ...writeNews(news, links), ...(news.sender !== null && { from_name: news.sender }) }
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
