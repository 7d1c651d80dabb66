import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import * as z from 'zod/mini'

export interface Mail {
  /** One plain address, without a display name. */
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /**
   * @throws Undeliverable when trying again would not help, or might send it twice; another Error when the server is away
   * or asks to come again, and after an abort that comes before the server has all of the mail
   */
  send(mail: Mail, options?: { signal?: AbortSignal }): Promise<void>
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`; without it every mail becomes a file in the outbox. */
  smtpUrl: string | undefined
  /** Sender: `Strongroom <no-reply@example.com>`. */
  from: string
  /** Folder of the `.eml` files; made when the first one is written. */
  outbox: string
}

/** A mail that is not to be sent again as it is; the message says why. */
export class Undeliverable extends Error {}

/** A mail body never names files or URLs that the mailer would fetch. */
const SEALED = { disableFileAccess: true, disableUrlAccess: true }
const address = z.email().check(z.maxLength(254))

export function createMailer({ smtpUrl, from, outbox }: MailerOptions): Mailer {
  const deliver = smtpUrl ? bySmtp(smtpUrl) : intoFolder(outbox)
  return {
    async send({ to, subject, text, html }, { signal } = {}) {
      // As an object the address is never parsed into several.
      const recipient = { name: '', address: parseAddress(to) }
      await deliver({ from, to: recipient, subject: literal(oneLine(subject)), text, html, ...SEALED }, signal)
    },
  }
}

function parseAddress(text: string): string {
  const { data } = z.safeParse(address, text)
  if (data === undefined) throw new Undeliverable('The recipient is no e-mail address.')
  return data
}

/** Subjects carry names that people chose; a line break in one would start another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/**
 * What looks like an encoded word (RFC 2047) would be decoded by whoever reads it, to anything at all. Encoded itself, it is
 * read as it was written.
 */
function literal(text: string): string {
  if (!text.includes('=?')) return text
  const words = text.match(/.{1,10}/gu) ?? []
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

type Deliver = (mail: SendMailOptions, signal?: AbortSignal) => Promise<void>

function bySmtp(url: string): Deliver {
  return async (mail, signal) => {
    const smtp = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 })
    const isHandedOver = watch(smtp, signal)
    const sending = smtp.sendMail(mail).catch((error: unknown) => {
      throw judge(error, isHandedOver())
    })
    await (signal ? Promise.race([sending, abortOf(signal, isHandedOver)]) : sending)
  }
}

/** Rejects when the signal aborts before the server has all of the mail. */
function abortOf(signal: AbortSignal, isHandedOver: () => boolean): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => isHandedOver() || reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

/** @returns whether the server has been given all of the mail, so that it may deliver it without having answered */
function watch(smtp: Transporter, signal: AbortSignal | undefined): () => boolean {
  let isHandedOver = false
  // With room for one byte, it ends only when the connection, which waits for the server's word, has taken the rest.
  const toTheEnd = () =>
    new Transform({
      readableHighWaterMark: 1,
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush(done) {
        // After an abort the mail never ends, so the server never delivers it.
        if (signal?.aborted) return
        isHandedOver = true
        done()
      },
    })
  smtp.use('stream', (mail, done) => {
    mail.message.processFunc((input: Readable) => input.pipe(toTheEnd()))
    done()
  })
  return () => isHandedOver
}

/** A login that is refused is a matter of settings, which somebody will put right: it is tried again. */
function judge(error: unknown, isHandedOver: boolean): unknown {
  const { code, response, responseCode } = error as { code?: string; response?: string; responseCode?: number }
  if (responseCode === undefined) {
    if (!isHandedOver) return error
    return new Undeliverable('The connection broke off after the mail was handed over; it may have been delivered.')
  }
  const isRefused = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return isRefused ? new Undeliverable(`The mail server refuses: ${response}`) : error
}

function intoFolder(folder: string): Deliver {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (mail) => {
    const { message } = await composer.sendMail(mail)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
    await writeAtOnce(join(folder, `${name}.eml`), message as Buffer)
  }
}

/** Whoever watches the folder sees a whole mail or none. */
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
