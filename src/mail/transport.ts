import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import * as z from 'zod/mini'

export interface Mail {
  /** One plain address, without a display name. */
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /** @throws Error when the address is no address or the server does not take the mail */
  send(mail: Mail): Promise<void>
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`; without it every mail becomes a file in the outbox. */
  smtpUrl: string | undefined
  /** Sender: `Strongroom <no-reply@example.com>`. */
  from: string
  /** Folder of the `.eml` files; made when the first one is written. */
  outbox: string
}

/** A mail body never names files or URLs that the mailer would fetch. */
const SEALED = { disableFileAccess: true, disableUrlAccess: true }
const address = z.email().check(z.maxLength(254))

export function createMailer({ smtpUrl, from, outbox }: MailerOptions): Mailer {
  const deliver = smtpUrl ? bySmtp(smtpUrl) : intoFolder(outbox)
  return {
    async send({ to, subject, text, html }) {
      // As an object the address is never parsed into several.
      const recipient = { name: '', address: z.parse(address, to) }
      await deliver({ from, to: recipient, subject: oneLine(subject), text, html, ...SEALED })
    },
  }
}

/** Subjects carry names that people chose; a line break in one would start another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

type Deliver = (mail: SendMailOptions) => Promise<void>

function bySmtp(url: string): Deliver {
  const smtp = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 })
  return async (mail) => {
    await smtp.sendMail(mail)
  }
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
