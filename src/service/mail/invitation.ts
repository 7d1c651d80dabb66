import { randomBytes } from 'node:crypto'
import { type Mail, RefusedByServer } from '../../mail/transport.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { tooMany } from '../base/errors.ts'
import { PLACEHOLDER, type Placeholder } from '../../contract/endpoints/deal/placeholders.ts'
import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import { html } from '../../wire/html.ts'
import { enqueue, enqueueAll, type JobPayloads } from '../jobs/queue.ts'
import { findSender, type Sender } from '../store/branding/sender.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import { keepInvitations, listRoomFacts, makeSecret, type RoomFacts } from '../store/people/invitations.ts'
import { spendOnInviting, spendOnInvitingEach, spendOnReminding } from '../store/people/mail-budgets.ts'
import { isAdminAddress } from '../store/workspaces/admin-addresses.ts'
import { getTeamRules } from '../store/workspaces/group-memberships.ts'
import { INVITATION_WORDS } from './invitation-words.ts'
import { readLogo, withLogo } from './look/logo.ts'
import { buttonTo, pageOf } from './look/mail-page.ts'
import { fromNameOf } from './look/origin.ts'
import { withoutLinks } from './without-links.ts'

interface Letter {
  inviter: string
  workspace_name?: string | undefined
  /** Words of the inviter, in several lines. */
  message?: string | undefined
  room?: Room | undefined
  /** The link for the invited user. */
  url: string
  /** Of the mail; English without one. */
  language?: Language | undefined
  /** First name of the reader. */
  name?: string | undefined
  sender?: Sender | undefined
}

type Room = Pick<RoomFacts, 'description' | 'expectation' | 'access_ends_at' | 'access_has_ended' | 'terms_await'>

type Inviter = Pick<Actor, 'id' | 'organization_id' | 'first_name' | 'last_name' | 'email' | 'now' | 'request_id'>
type Asked = Omit<Letter, 'inviter'> & { to: string }

/** Mails an invitation once the transaction is committed, unless the budget of the mailbox for this hour is used up. */
export async function enqueueInvitation(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  const [wait, sender] = await Promise.all([spendOnInviting(db, inviter, asked.to), senderOf(db, inviter)])
  if (wait === 0) await write(db, inviter, asked, sender)
}

/** Does the same for a reminder, which must not be dropped silently. @throws ApiError 429 */
export async function enqueueReminder(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  const [, sender] = await Promise.all([spendOrRefuse(db, inviter, asked.to), senderOf(db, inviter)])
  await write(db, inviter, asked, sender)
}

const senderOf = (db: Db, { organization_id }: Inviter) => findSender(db, organization_id, 0)

async function write(db: Db, inviter: Inviter, { to, ...letter }: Asked, sender: Sender | undefined): Promise<void> {
  const language = sender?.invitation_language ?? undefined
  const written = writeInvitation({ ...letter, inviter: nameOf(inviter), language, sender })
  const logo_of = { organization_id: inviter.organization_id, workspace_id: 0 }
  await enqueue(db, 'mail', { to, ...written, logo_of }, inviter.request_id)
}

async function spendOrRefuse(db: Db, inviter: Inviter, to: string): Promise<void> {
  const wait = await spendOnReminding(db, inviter, to)
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
  const [rules, facts, sender] = await Promise.all([
    getTeamRules(db, workspace),
    listRoomFacts(db, workspace, ids),
    findSender(db, workspace.organization_id, workspace.id),
  ])
  if (rules.suppress_emails) return []
  const emails = members.map(({ email }) => email)
  const allowed = await spendOnInvitingEach(db, workspace.actor, emails)
  const invited = members.filter(({ email }) => allowed.has(email))
  await writeToMembers(db, workspace, publicUrl, { members: invited, message }, { facts, sender })
  return invited
}

/** Does the same for one member, and tells why no mail is sent. */
export async function inviteMember(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  { member, message }: { member: Member; message: string | undefined },
): Promise<'sent' | 'suppressed' | 'too_many'> {
  const [invited] = await inviteMembers(db, workspace, publicUrl, { members: [member], message })
  if (invited) return 'sent'
  return (await getTeamRules(db, workspace)).suppress_emails ? 'suppressed' : 'too_many'
}

/** Mails the invitation again. @throws ApiError 429 */
export async function remindMember(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  member: Member,
  message: string | undefined,
): Promise<void> {
  const [facts, sender] = await Promise.all([
    listRoomFacts(db, workspace, [member.id]),
    findSender(db, workspace.organization_id, workspace.id),
    spendOrRefuse(db, workspace.actor, member.email),
  ])
  await writeToMembers(db, workspace, publicUrl, { members: [member], message }, { facts, sender })
}

async function writeToMembers(
  db: Db,
  workspace: AdministeredWorkspace,
  publicUrl: string,
  { members, message = '' }: ToMembers<Member>,
  { facts, sender }: { facts: readonly RoomFacts[]; sender: Sender | undefined },
): Promise<void> {
  const ids = members.map(({ id }) => id)
  const rooms = new Map(facts.map((each) => [each.user_id, each]))
  const letter = { inviter: nameOf(workspace.actor), workspace_name: workspace.name, message, sender }
  const logo_of = { organization_id: workspace.organization_id, workspace_id: workspace.id }
  const mails = members.map(({ id, email }) => {
    const link_marker = randomBytes(16).toString('hex')
    const url = `${publicUrl}/invitation/${workspace.id}#${link_marker}`
    const invitation = { workspace_id: workspace.id, user_id: id, link_marker }
    const room = rooms.get(id)
    const language = room?.language ?? sender?.invitation_language ?? undefined
    const written = writeInvitation({ ...letter, room, name: room?.first_name, language, url })
    return { to: email, ...written, logo_of, invitation }
  })
  await Promise.all([
    keepInvitations(db, workspace, ids, message),
    enqueueAll(db, 'mail', mails, workspace.actor.request_id),
  ])
}

/** Sends a queued mail, with the logo of now. The secret of an invitation exists only from here on, and is never stored. */
export async function deliverMail<Options>(
  { db, send }: { db: Db; send: (mail: Mail, options?: Options) => Promise<void> },
  { invitation, to_admin, logo_of, ...written }: JobPayloads['mail'],
  options?: Options,
): Promise<void> {
  if (to_admin && !(await isAdminAddress(db, to_admin, written.to))) return
  const mail = logo_of ? withLogo(written, await readLogo(db, logo_of)) : written
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
export function writeInvitation({ language = 'en', ...letter }: Letter): Written {
  const { inviter, workspace_name, message, room, url, sender } = letter
  const words = INVITATION_WORDS[language]
  // What an organization has written is about a workspace.
  const own = workspace_name ? sender?.texts[language] : undefined
  const paragraphs = [
    own?.text ? fillIn(own.text, letter) : words.intro(inviter, workspace_name),
    room?.description ?? '',
    message?.trim() ?? '',
    room?.expectation ? `${words.expectation}\n${room.expectation}` : '',
    room ? accessWords(room, language) : '',
    room?.terms_await ? words.terms : '',
    room ? words.link : '',
  ].filter((each) => each !== '')
  const plain = paragraphs.map(withoutLinks)
  const subject = own?.subject ? fillIn(own.subject, letter) : words.subject(inviter, workspace_name ?? 'Strongroom')
  const head = sender?.display_name ? withoutLinks(sender.display_name) : ''
  return {
    subject: subject.replace(/\s+/g, ' '),
    text: [...(head === '' ? [] : [head]), ...plain, `${words.open}: ${url}`, ''].join('\n\n'),
    html: pageOf({
      language,
      look: sender,
      body: (accents) => html`
        ${plain.map((each) => html`<p>${broken(each)}</p>`)} ${buttonTo(url, words.open, accents)}
      `,
    }),
    ...fromNameOf(sender),
    ...(sender?.reply_to && { reply_to: sender.reply_to }),
  }
}

type Written = Pick<Mail, 'subject' | 'text' | 'html' | 'from_name' | 'reply_to'>

const broken = (text: string) => text.split('\n').map((line, at) => html`${at > 0 && html`<br />`}${line}`)

/** Fills the placeholders once, so that braces within a name stay text. */
function fillIn(text: string, { inviter, workspace_name = '', sender, name = '' }: Omit<Letter, 'language'>): string {
  const organization = sender?.display_name ?? sender?.organization_name ?? ''
  const values: Record<Placeholder, string> = { room: workspace_name, inviter, organization, name }
  return text.replace(PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(values, key) ? values[key as Placeholder] : whole,
  )
}

function accessWords({ access_ends_at, access_has_ended }: Room, language: Language): string {
  const words = INVITATION_WORDS[language]
  if (access_ends_at === null) return words.noEnd
  return words[access_has_ended ? 'ended' : 'ends'](LONG_DATE[language].format(new Date(access_ends_at)))
}

const longDate = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const LONG_DATE: Record<Language, Intl.DateTimeFormat> = { en: longDate('en-GB'), de: longDate('de-DE') }
