import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import * as z from 'zod/mini'

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
  const { deliver, close } = smtpUrl ? bySmtp(smtpUrl) : intoFolder(outbox)
  return {
    close,
    async send({ to, subject, text, html, from_name, reply_to, headers = {}, pictures = [] }, { signal } = {}) {
      // An address given as an object is never parsed into several.
      const bare = (address: string) => ({ name: '', address: parseAddress(address) })
      const mail = { to: bare(to), ...(reply_to && { replyTo: bare(reply_to) }) }
      const sender = from_name ? namedSender(from, from_name) : from
      const own = { subject: literal(oneLine(subject)), text, html, headers }
      const attachments = pictures.map(partOf)
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

/** Connects and signs in, without sending anything. @throws Error with the reason of the server or the network */
export async function checkSmtp(smtpUrl: string): Promise<void> {
  const smtp = createTransport({ url: smtpUrl, ...TIMEOUTS })
  try {
    await smtp.verify()
  } finally {
    smtp.close()
  }
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

/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** Connections of one mailer, the mails after which each ends, and the time for which it waits for another mail. */
const POOL = { maxConnections: 10, maxMessages: 100, idleTimeout: 10_000 }

type Deliver = (mail: SendMailOptions, signal?: AbortSignal) => Promise<void>

interface Delivery {
  deliver: Deliver
  close(): void
}

function bySmtp(url: string): Delivery {
  const smtp = createTransport({ url, pool: true, ...POOL, ...TIMEOUTS })
  const handedOver = new WeakSet<AbortSignal>()
  smtp.use('stream', ({ data, message }, done) => {
    message.processFunc((input: Readable) => input.pipe(untilEnd(() => data.signal && handedOver.add(data.signal))))
    done()
  })
  const deliver: Deliver = async (mail, signal) => {
    const breakOff = new AbortController()
    const isHandedOver = () => handedOver.has(breakOff.signal)
    const abort = () => isHandedOver() || breakOff.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    try {
      await smtp.sendMail({ ...mail, signal: breakOff.signal })
    } catch (error) {
      throw breakOff.signal.aborted ? breakOff.signal.reason : judge(error, isHandedOver())
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
  return { deliver, close: () => smtp.close() }
}

/**
 * Passes a mail on, and calls `ended` once the server has the whole of it and may deliver it even without an answer. With
 * a buffer of one byte, the stream flushes only after the connection, which waits for the server's reply, has taken the
 * rest.
 */
const untilEnd = (ended: () => void) =>
  new Transform({
    readableHighWaterMark: 1,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush(done) {
      ended()
      done()
    },
  })

/** A refused login is a configuration error that an operator can fix, so the mail is tried again. */
function judge(error: unknown, isHandedOver: boolean): unknown {
  const { code, command, response, responseCode } = error as Partial<
    Record<'code' | 'command' | 'response', string>
  > & {
    responseCode?: number
  }
  if (responseCode === undefined) {
    if (!isHandedOver) return error
    return new Undeliverable('The connection broke off after the mail was handed over; it may have been delivered.')
  }
  const isRefused = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  if (!isRefused) return error
  const Refusal = command === 'MAIL FROM' ? Undeliverable : RefusedByServer
  return new Refusal(`The mail server refuses: ${response}`)
}

function intoFolder(folder: string): Delivery {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const deliver: Deliver = async (mail) => {
    const { message } = await composer.sendMail(mail)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
    await writeAtOnce(join(folder, `${name}.eml`), message as Buffer)
  }
  return { deliver, close() {} }
}

/** Readers of the folder see either the whole mail or none. */
async function writeAtOnce(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.unfinished`
  try {
    await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
