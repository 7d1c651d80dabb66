import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { tooMany } from '../base/errors.ts'
import { escapeHtml } from '../base/html.ts'
import { enqueue } from '../jobs/queue.ts'
import { spendOnInviting } from '../store/people/mail-budgets.ts'

export interface Invitation {
  /** E-mail address. */
  to: string
  inviter: string
  workspace_name?: string | undefined
  /** Personal message of the inviter, in several lines. */
  message?: string | undefined
  /** The link for the invited user. */
  url: string
}

type Asked = Omit<Invitation, 'inviter'>
type Inviter = Pick<Actor, 'organization_id' | 'first_name' | 'last_name' | 'email' | 'now' | 'request_id'>

/** Mails an invitation once the transaction is committed, unless the budget of the mailbox for this hour is used up. */
export async function enqueueInvitation(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  if ((await spendOnInviting(db, inviter, asked.to)) === 0) await write(db, inviter, asked)
}

/** Does the same for a reminder, which must not be dropped silently. @throws ApiError 429 */
export async function enqueueReminder(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  const wait = await spendOnInviting(db, inviter, asked.to)
  if (wait > 0) throw tooMany(wait)
  await write(db, inviter, asked)
}

async function write(db: Db, inviter: Inviter, asked: Asked): Promise<void> {
  await enqueue(
    db,
    'mail',
    { to: asked.to, ...writeInvitation({ ...asked, inviter: nameOf(inviter) }) },
    inviter.request_id,
  )
}

/** Returns the text and its HTML twin, in which all user input is escaped. */
export function writeInvitation({ inviter, workspace_name, message, url }: Invitation) {
  const place = workspace_name ? `the workspace "${workspace_name}"` : 'Strongroom'
  const paragraphs = [`${inviter} invites you to ${place}.`, message?.trim() ?? ''].filter((each) => each !== '')
  const html = paragraphs.map((each) => `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`)
  return {
    subject: `${inviter} invites you to ${workspace_name ?? 'Strongroom'}`.replace(/\s+/g, ' '),
    text: [...paragraphs, `Come in: ${url}`, ''].join('\n\n'),
    html: [...html, `<p><a href="${escapeHtml(url)}">Come in</a></p>`].join('\n'),
  }
}
