import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { RefusedByServer, Undeliverable } from './transport.ts'

/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** Connections of one mailer, the mails after which each ends, and the time for which it waits for another mail. */
const POOL = { maxConnections: 10, maxMessages: 100, idleTimeout: 10_000 }

/** Connects and signs in, without sending anything. @throws Error with the reason of the server or the network */
export async function checkSmtp(smtpUrl: string): Promise<void> {
  const smtp = createTransport({ url: smtpUrl, ...TIMEOUTS })
  try {
    await smtp.verify()
  } finally {
    smtp.close()
  }
}

type Deliver = (mail: SendMailOptions, signal?: AbortSignal) => Promise<void>

export interface Delivery {
  deliver: Deliver
  close(): void
}

/** Opens the mail server, or else the folder of the outbox. */
export const openDelivery = (smtpUrl: string | undefined, outbox: string): Delivery =>
  smtpUrl ? bySmtp(smtpUrl) : intoFolder(outbox)

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
