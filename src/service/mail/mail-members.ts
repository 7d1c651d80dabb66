import type { Mails } from '../../contract/endpoints/deal/notifications.ts'
import { type Mail, RefusedByServer, Undeliverable } from '../../mail/transport.ts'
import type { Log } from '../../wire/log.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { findLook, type RoomLook } from '../store/branding/sender.ts'
import { SETTLED_MS } from '../store/notifications/due-members.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import { readSlots, type Slots } from '../store/notifications/slots.ts'
import { readLogo, withLogo } from './look/logo.ts'
import { fromNameOf } from './look/origin.ts'
import type { Subscription, UnsubscribeTokens } from './unsubscribe-token.ts'

/** Members whose mails are written together, mails that are sent side by side, and the time for each. */
const BATCH = 20
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
  /** Changes after this time are left to the next mail. */
  asOf: Date
  slots: Slots
  stop: AbortSignal
  /** The mail server answered none of the last mails, so that no more are tried in this pass. */
  isAway: boolean
  /** With the reason of the last. */
  unsent: { mails: number; err: unknown }
}

/** A kind of mails that members of workspaces get at their times. */
export interface Mailing<Member extends { user_id: number }> {
  /** In the log. */
  name: string
  mails: Mails
  listWorkspaces: (db: Db, slots: Slots, asOf: Date) => Promise<number[]>
  /** How the members of one workspace are claimed and written to. */
  inWorkspace: (workspaceId: number, pass: Pass) => Letters<Member>
}

interface Letters<Member> {
  /** Members that no other worker claims; none when nobody is left. */
  claim: (most: number) => Promise<readonly Member[]>
  /** Members without a letter get none, and not later either. */
  write: (members: readonly Member[]) => Promise<Letter[]>
  /** Lets mails that were not handed over come again later. */
  putOff: (tx: Db, late: readonly Member[]) => Promise<void>
}

interface Letter {
  user_id: number
  membership_id: number
  writeMail: (links: Links, look: RoomLook | undefined) => Mail
}

export interface Links {
  /** Of the workspace, without a slash at the end. */
  workspace: string
  settings: string
  unsubscribe: string
}

/** Sends all mails of a kind that are due at `now`. @returns how many mails were handed over */
export async function mailMembers<Member extends { user_id: number }>(
  means: DeliveryMeans,
  mailing: Mailing<Member>,
  now: Date,
  stop: AbortSignal,
): Promise<number> {
  const asOf = new Date(now.getTime() - SETTLED_MS)
  const slots = await readSlots(means.db, asOf)
  const pass: Pass = { now, asOf, slots, stop, isAway: false, unsent: { mails: 0, err: undefined } }
  let sent = 0
  for (const workspaceId of await mailing.listWorkspaces(means.db, slots, asOf))
    sent += await mailWorkspace(means, mailing, workspaceId, pass)
  if (sent > 0) means.log.info({ mails: sent }, `handed over ${mailing.name}`)
  if (pass.unsent.mails > 0) means.log.warn(pass.unsent, `${mailing.name} were not handed over`)
  return sent
}

async function mailWorkspace<Member extends { user_id: number }>(
  means: DeliveryMeans,
  mailing: Mailing<Member>,
  workspaceId: number,
  pass: Pass,
): Promise<number> {
  const letters = mailing.inWorkspace(workspaceId, pass)
  for (let sent = 0; ;) {
    if (pass.stop.aborted || pass.isAway) return sent
    const members = await letters.claim(BATCH)
    if (members.length === 0) return sent
    sent += await deliverTo(means, mailing.mails, workspaceId, { letters, members, pass })
  }
}

type Outcome = 'taken' | 'refused' | 'given up' | 'late' | 'unanswered'
const AGAIN: readonly Outcome[] = ['late', 'unanswered']

/** Hands over mails to some members of a workspace. @returns how many the server took */
async function deliverTo<Member extends { user_id: number }>(
  means: DeliveryMeans,
  mails: Mails,
  workspaceId: number,
  { letters, members, pass }: { letters: Letters<Member>; members: readonly Member[]; pass: Pass },
): Promise<number> {
  const { db, send } = means
  const late = new Map(members.map((member) => [member.user_id, member]))
  const outcomes: Record<Outcome, number[]> = { taken: [], refused: [], 'given up': [], late: [], unanswered: [] }
  try {
    const [written, look] = await Promise.all([letters.write(members), findLook(db, workspaceId)])
    const logo = look && written.length > 0 ? await readLogo(db, look) : undefined
    const readers = new Set(written.map(({ user_id }) => user_id))
    for (const { user_id } of members) if (!readers.has(user_id)) late.delete(user_id)
    const handOver = async ({ user_id, membership_id, writeMail }: Letter) => {
      const links = linksFor(means, { workspace_id: workspaceId, user_id, membership_id, mails })
      const mail = { ...writeMail(links, look), ...fromNameOf(look) }
      const outcome = await deliver(send, withLogo(mail, logo), pass)
      if (!AGAIN.includes(outcome)) late.delete(user_id)
      outcomes[outcome].push(user_id)
    }
    for (let from = 0; from < written.length; from += AT_ONCE)
      await Promise.all(written.slice(from, from + AT_ONCE).map(handOver))
    pass.isAway = written.length > 0 && outcomes.unanswered.length === written.length
  } finally {
    await transaction(db, async (tx) => {
      await letters.putOff(tx, [...late.values()])
      await noteOutcomes(tx, workspaceId, outcomes, pass.now)
    })
  }
  return outcomes.taken.length
}

const linksFor = ({ tokens, publicUrl }: DeliveryMeans, subscription: Subscription): Links => ({
  workspace: `${publicUrl}/workspaces/${subscription.workspace_id}`,
  settings: `${publicUrl}/account`,
  unsubscribe: `${publicUrl}/unsubscribe/${tokens.make(subscription)}`,
})

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
