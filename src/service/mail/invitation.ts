import { randomBytes } from 'node:crypto'
import { type Mail, RefusedByServer } from '../../mail/transport.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { tooMany } from '../base/errors.ts'
import { escapeHtml } from '../../wire/html.ts'
import { enqueue, enqueueAll, type JobPayloads } from '../jobs/queue.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import { keepInvitations, listRoomFacts, makeSecret, type RoomFacts } from '../store/people/invitations.ts'
import { spendOnInviting, spendOnInvitingEach } from '../store/people/mail-budgets.ts'
import { getTeamRules } from '../store/workspaces/group-memberships.ts'
import { withoutLinks } from './without-links.ts'

interface Letter {
  inviter: string
  workspace_name?: string | undefined
  /** Words of the inviter, in several lines. */
  message?: string | undefined
  room?: Omit<RoomFacts, 'user_id'> | undefined
  /** The link for the invited user. */
  url: string
}

type Inviter = Pick<Actor, 'organization_id' | 'first_name' | 'last_name' | 'email' | 'now' | 'request_id'>
type Asked = Omit<Letter, 'inviter'> & { to: string }

/** Mails an invitation once the transaction is committed, unless the budget of the mailbox for this hour is used up. */
export async function enqueueInvitation(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  if ((await spendOnInviting(db, inviter, asked.to)) === 0) await write(db, inviter, asked)
}

/** Does the same for a reminder, which must not be dropped silently. @throws ApiError 429 */
export async function enqueueReminder(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  await spendOrRefuse(db, inviter, asked.to)
  await write(db, inviter, asked)
}

async function write(db: Db, inviter: Inviter, { to, ...letter }: Asked): Promise<void> {
  const mail = { to, ...writeInvitation({ ...letter, inviter: nameOf(inviter) }) }
  await enqueue(db, 'mail', mail, inviter.request_id)
}

async function spendOrRefuse(db: Db, inviter: Inviter, to: string): Promise<void> {
  const wait = await spendOnInviting(db, inviter, to)
  if (wait > 0) throw tooMany(wait)
}

interface Member {
  id: number
  email: string
}

interface ToMembers<M extends Member> {
  members: readonly M[]
  message?: string | undefined
}

/**
 * Mails members of a workspace a link that is theirs, unless their team suppresses mails.
 * @returns the members who get one, without those whose mailboxes get no more mails this hour
 */
export async function inviteMembers<M extends Member>(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  { members, message }: ToMembers<M>,
): Promise<M[]> {
  if (members.length === 0) return []
  const ids = members.map(({ id }) => id)
  const [rules, facts] = await Promise.all([getTeamRules(db, workspace), listRoomFacts(db, workspace, ids)])
  if (rules.suppress_emails) return []
  const emails = members.map(({ email }) => email)
  const allowed = await spendOnInvitingEach(db, workspace.actor, emails)
  const invited = members.filter(({ email }) => allowed.has(email))
  await writeToMembers(db, workspace, publicUrl, { members: invited, message }, facts)
  return invited
}

/** Mails the invitation again. @throws ApiError 429 */
export async function remindMember(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  member: Member,
  message: string | undefined,
): Promise<void> {
  const [facts] = await Promise.all([
    listRoomFacts(db, workspace, [member.id]),
    spendOrRefuse(db, workspace.actor, member.email),
  ])
  await writeToMembers(db, workspace, publicUrl, { members: [member], message }, facts)
}

async function writeToMembers(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  { members, message = '' }: ToMembers<Member>,
  facts: readonly RoomFacts[],
): Promise<void> {
  const ids = members.map(({ id }) => id)
  const rooms = new Map(facts.map(({ user_id, ...room }) => [user_id, room]))
  const letter = { inviter: nameOf(workspace.actor), workspace_name: workspace.name, message }
  const mails = members.map(({ id, email }) => {
    const link_marker = randomBytes(16).toString('hex')
    const url = `${publicUrl}/invitation/${workspace.id}#${link_marker}`
    const invitation = { workspace_id: workspace.id, user_id: id, link_marker }
    return { to: email, ...writeInvitation({ ...letter, room: rooms.get(id), url }), invitation }
  })
  await Promise.all([
    keepInvitations(db, workspace, ids, message),
    enqueueAll(db, 'mail', mails, workspace.actor.request_id),
  ])
}

/** Sends a queued mail. The secret of an invitation exists only from here on, so it is never stored. */
export async function deliverMail<Options>(
  { db, send }: { db: Db; send: (mail: Mail, options?: Options) => Promise<void> },
  { invitation, ...mail }: JobPayloads['mail'],
  options?: Options,
): Promise<void> {
  if (!invitation) return send(mail, options)
  const secret = await makeSecret(db, invitation)
  if (secret === undefined) return
  const linked = (text: string) => text.replaceAll(invitation.link_marker, secret)
  const { workspace_id, user_id } = invitation
  const note = (outcome: 'taken' | 'refused') =>
    noteOutcomes(db, workspace_id, { taken: [], refused: [], [outcome]: [user_id] }, new Date())
  try {
    await send({ ...mail, text: linked(mail.text), html: linked(mail.html) }, options)
  } catch (error) {
    if (error instanceof RefusedByServer) await note('refused')
    throw error
  }
  // Otherwise the mail would count as not sent.
  await note('taken').catch(() => {})
}

/** Returns the text and its HTML twin, in which all user input is escaped and nothing but `url` becomes a link. */
export function writeInvitation({ inviter, workspace_name, message, room, url }: Letter) {
  const place = workspace_name ? `the workspace "${workspace_name}"` : 'Strongroom'
  const paragraphs = [
    `${inviter} invites you to ${place}.`,
    room?.description ?? '',
    message?.trim() ?? '',
    room?.expectation ? `What is expected of you:\n${room.expectation}` : '',
    room ? accessWords(room.access_ends_at) : '',
    room?.terms_await ? 'Terms await your answer: you read and accept them before anything is shown to you.' : '',
    room
      ? 'The link below is for you alone. When you open it, we send a code to this address; no password is needed.'
      : '',
  ].filter((each) => each !== '')
  const plain = paragraphs.map(withoutLinks)
  const html = plain.map((each) => `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`)
  return {
    subject: `${inviter} invites you to ${workspace_name ?? 'Strongroom'}`.replace(/\s+/g, ' '),
    text: [...plain, `Come in: ${url}`, ''].join('\n\n'),
    html: [...html, `<p><a href="${escapeHtml(url)}">Come in</a></p>`].join('\n'),
  }
}

const accessWords = (endsAt: string | null): string =>
  endsAt === null
    ? 'Your access has no end date.'
    : `Your access ends on ${LONG_DATE.format(new Date(endsAt))}, 00:00 UTC.`

const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
