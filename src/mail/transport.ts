import * as z from 'zod/mini'
import type { Delivery } from './delivery.ts'

export interface Mail {
  /** One plain address, without a display name. */
  to: string
  subject: string
  text: string
  html: string
  /** Name of the sender, instead of that of the installation. The address is always the installation's. */
  from_name?: string
  /** One plain address that gets replies. */
  reply_to?: string
  headers?: Record<string, string>
  /** Parts that the HTML shows by `cid:`. */
  pictures?: readonly InlinePicture[]
}

export interface InlinePicture {
  cid: string
  content_type: 'image/png'
  content: Buffer
}

export interface Mailer {
  /**
   * @throws Undeliverable if trying again would not help or might send the mail twice; another Error if the server is
   * away or asks to try later, and after an abort before the server has the whole mail
   */
  send(mail: Mail, options?: { signal?: AbortSignal }): Promise<void>
  /** Ends connections that send nothing at once, others after their mail. */
  close(): void
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`; without it every mail becomes a file in the outbox. */
  smtpUrl: string | undefined
  /** Sender: `Strongroom <no-reply@example.com>`. */
  from: string
  /** Folder of the `.eml` files, created with the first one. */
  outbox: string
}

/** A mail that must not be sent again unchanged; the message says why. */
export class Undeliverable extends Error {}

/** The mail server refuses the recipient or the mail for good. */
export class RefusedByServer extends Undeliverable {}

/** The mailer never fetches files or URLs named in a mail. */
const SEALED = { disableFileAccess: true, disableUrlAccess: true }
const address = z.email().check(z.maxLength(254))

export function createMailer({ smtpUrl, from, outbox }: MailerOptions): Mailer {
  let opening: Promise<Delivery> | undefined
  // The library costs memory, and many a process sends no mail.
  const open = async () => (await import('./delivery.ts')).openDelivery(smtpUrl, outbox)
  return {
    close: () => void opening?.then((delivery) => delivery.close()),
    async send({ to, subject, text, html, from_name, reply_to, headers = {}, pictures = [] }, { signal } = {}) {
      // An address given as an object is never parsed into several.
      const bare = (address: string) => ({ name: '', address: parseAddress(address) })
      const mail = { to: bare(to), ...(reply_to && { replyTo: bare(reply_to) }) }
      const sender = from_name ? namedSender(from, from_name) : from
      const own = { subject: literal(oneLine(subject)), text, html, headers }
      const attachments = pictures.map(partOf)
      const { deliver } = await (opening ??= open())
      await deliver({ from: sender, ...mail, ...own, attachments, ...SEALED }, signal)
    },
  }
}

const partOf = ({ cid, content_type, content }: InlinePicture, at: number) => ({
  cid,
  content,
  contentType: content_type,
  contentDisposition: 'inline' as const,
  filename: `picture-${at + 1}.png`,
})

/** Returns the sender of the installation under another name. */
export function namedSender(from: string, name: string): { name: string; address: string } {
  const address = /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from
  return { name: literal(oneLine(name)), address: address.trim() }
}

function parseAddress(text: string): string {
  const { data } = z.safeParse(address, text)
  if (data === undefined) throw new Undeliverable('The recipient is no e-mail address.')
  return data
}

/** Subjects contain names chosen by users; a line break in one would start another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/**
 * A mail reader would decode text that looks like an encoded word (RFC 2047), possibly into misleading text. Encoding
 * that text itself preserves it.
 */
function literal(text: string): string {
  if (!text.includes('=?')) return text
  const words = text.match(/.{1,10}/gu) ?? []
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
