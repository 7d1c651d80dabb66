import { createRequire } from 'node:module'
import type { FieldsData } from '@kenjiuno/msgreader'
import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { isCompound, isSoundCompound } from './compound-file.ts'
import { decodeHtml } from './decode.ts'
import { htmlToText } from './markup.ts'

// Loaders disagree about the default export of this CommonJS module; `require` is the same everywhere.
const { default: MsgReader } = createRequire(import.meta.url)(
  '@kenjiuno/msgreader',
) as typeof import('@kenjiuno/msgreader')

/** A message as its reader sees it: neither blind copies nor technical headers, and no content of attachments. */
export interface Mail {
  subject: string
  from: string
  to: string
  cc: string
  /** ISO 8601, or the date as the message has it. */
  date: string
  text: string
  html: string
  attachments: { name: string; bytes: number }[]
}

/** Larger messages have no pages, and their text is that of their first part. */
export const MAX_MAIL_BYTES = 64 * 1024 ** 2

/** Reads a message in either format. @returns undefined if it is damaged or nested too deeply */
export async function readMail(bytes: Buffer): Promise<Mail | undefined> {
  return isCompound(bytes) ? readOutlook(bytes) : readMime(bytes)
}

/** Returns the page of a web archive: the first one that it holds, without the frames and pictures beside it. */
export async function readArchive(bytes: Buffer): Promise<Pick<Mail, 'subject' | 'html'> | undefined> {
  const mail = await readMime(bytes)
  return mail === undefined || mail.html.trim() === '' ? undefined : mail
}

const MIME_LIMITS = { maxNestingDepth: 20, maxHeadersSize: 1024 ** 2 }

async function readMime(bytes: Buffer): Promise<Mail | undefined> {
  const mail = await PostalMime.parse(bytes, MIME_LIMITS).catch(() => undefined)
  if (mail === undefined) return undefined
  return {
    subject: mail.subject ?? '',
    from: mail.from ? personOf(mail.from) : '',
    to: (mail.to ?? []).map(personOf).join(', '),
    cc: (mail.cc ?? []).map(personOf).join(', '),
    date: mail.date ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map((attachment) => ({
      name: attachment.filename ?? '',
      bytes: sizeOf(attachment.content),
    })),
  }
}

const sizeOf = (content: Attachment['content']): number =>
  typeof content === 'string' ? content.length : content.byteLength

const personOf = ({ name, address }: Pick<Address, 'name' | 'address'>): string =>
  name && address && name !== address ? `${name} <${address}>` : name || address || ''

/** For messages of older versions of Outlook, which are not in Unicode and rarely tell their encoding. */
const ANSI = 'windows-1252'

const PROPERTIES = Buffer.from('__properties_version1.0', 'utf16le')

function readOutlook(bytes: Buffer): Mail | undefined {
  if (!isSoundCompound(bytes)) return undefined
  try {
    // Compound files of other kinds have no properties of messages.
    if (!bytes.includes(PROPERTIES)) return undefined
    const reader = new MsgReader(new Uint8Array(bytes).buffer)
    reader.parserConfig = { ansiEncoding: ANSI }
    return mailOf(reader.getFileData())
  } catch {
    return undefined
  }
}

function mailOf(data: FieldsData): Mail | undefined {
  if (data.error !== undefined) return undefined
  const { recipients = [], attachments = [] } = data
  const listed = (kind: 'to' | 'cc') =>
    recipients
      .filter(({ recipType }) => recipType === kind)
      .map(({ name, smtpAddress, email }) => personOf(named(name, smtpAddress, email)))
      .join(', ')
  return {
    subject: textOf(data.subject),
    from: personOf(named(data.senderName, data.senderSmtpAddress, data.senderEmail)),
    to: listed('to'),
    cc: listed('cc'),
    date: isoOf(textOf(data.clientSubmitTime ?? data.messageDeliveryTime ?? data.creationTime)),
    text: textOf(data.body),
    html: data.html instanceof Uint8Array ? decodeHtml(Buffer.from(data.html)) : textOf(data.bodyHtml),
    attachments: attachments.map(({ fileName, fileNameShort, name, contentLength, innerMsgContentFields: inner }) => ({
      name: textOf(inner?.subject) || textOf(fileName) || textOf(fileNameShort) || textOf(name),
      bytes: typeof contentLength === 'number' ? contentLength : 0,
    })),
  }
}

/** A property of a damaged message may be of any type. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Outlook has the address inside an organization as a distinguished name ("/O=…/CN=…"), which nobody reads. */
function named(name: unknown, ...addresses: unknown[]): Pick<Address, 'name' | 'address'> {
  const address = addresses.map(textOf).find((each) => each.includes('@'))
  return { name: textOf(name), address: address as undefined }
}

function isoOf(date: string): string {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : new Date(time).toISOString()
}

export function mailText({ subject, from, to, cc, date, text, html, attachments }: Mail): string {
  const head = [
    ['Subject', subject],
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date],
    ['Attachments', attachments.map(({ name }) => name).join(', ')],
  ].filter(([, value]) => value)
  const body = text.trim() ? text : htmlToText(html)
  return `${head.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body}`
}
