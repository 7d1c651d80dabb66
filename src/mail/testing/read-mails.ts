import PostalMime from 'postal-mime'
import type { MailServer } from './mail-server.ts'

/** A received mail as its reader sees it: without the joiners that keep names from being links, with plain spaces. */
export interface ReadMail {
  to: string | undefined
  subject: string | undefined
  text: string
  html: string
  headers: Record<string, string>
}

export async function readMails(server: Pick<MailServer, 'received'>): Promise<ReadMail[]> {
  const parsed = await Promise.all(
    server.received.map(async ({ to, text }) => ({ to: to[0], mail: await PostalMime.parse(text) })),
  )
  return parsed.map(({ to, mail }) => ({
    to,
    subject: mail.subject,
    text: String(mail.text).replaceAll('\u2060', '').replaceAll('\u00a0', ' '),
    html: String(mail.html),
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  }))
}

/** The token of the link that ends such mails. */
export const tokenIn = ({ headers }: Pick<ReadMail, 'headers'>): string =>
  /\/unsubscribe\/([\w.-]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
