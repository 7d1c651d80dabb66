import type { Db } from '../db/pool.ts'
import { escapeHtml } from '../html.ts'
import { enqueue } from '../jobs/queue.ts'

export interface Invitation {
  /** E-mail address. */
  to: string
  /** Name of who invites. */
  inviter: string
  workspace_name?: string | undefined
  /** Personal words of the inviter, several lines. */
  message?: string | undefined
  /** Where the invited person comes in. */
  url: string
}

/** Mails an invitation once the transaction is committed. */
export async function enqueueInvitation(db: Db, invitation: Invitation): Promise<void> {
  await enqueue(db, 'mail', { to: invitation.to, ...writeInvitation(invitation) })
}

/** The text and its HTML twin; whatever people typed is escaped in the latter. */
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
