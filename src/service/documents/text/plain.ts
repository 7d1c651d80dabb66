import PostalMime, { type Address } from 'postal-mime'
import { decodeText } from './decode.ts'
import { htmlToText } from './markup.ts'
import { readHead } from './read-head.ts'

/** Functions that extract the readable text of each type. */
const READERS: Record<string, (bytes: Buffer) => string | Promise<string>> = {
  'text/plain': (bytes) => decodeText(bytes),
  'text/markdown': (bytes) => decodeText(bytes),
  'text/csv': (bytes) => decodeText(bytes),
  'application/json': (bytes) => decodeText(bytes),
  'application/xml': (bytes) => decodeText(bytes, xmlEncoding(bytes)),
  'image/svg+xml': (bytes) => htmlToText(decodeText(bytes, xmlEncoding(bytes))),
  'text/html': (bytes) => htmlToText(decodeHtml(bytes)),
  'message/rfc822': readMail,
}

export const isPlain = (contentType: string): boolean => contentType in READERS

/** Returns the text of a file without markup, from at most its first `maxBytes` bytes. */
export async function readPlainText(path: string, contentType: string, maxBytes: number): Promise<string> {
  const read = READERS[contentType]
  return read === undefined ? '' : read(await readHead(path, maxBytes))
}

export function decodeHtml(bytes: Buffer): string {
  const declared = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))
  return decodeText(bytes, declared?.[1])
}

function xmlEncoding(bytes: Buffer): string | undefined {
  return /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]+)/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
}

/** Returns the subject, people, date, attachment names and text of a mail. */
async function readMail(bytes: Buffer): Promise<string> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 20 }).catch(() => undefined)
  // The mail is nested too deeply, or its headers never end; return it as written.
  if (mail === undefined) return decodeText(bytes)
  const head = [
    ['Subject', mail.subject],
    ['From', listed(mail.from ? [mail.from] : [])],
    ['To', listed(mail.to ?? [])],
    ['Cc', listed(mail.cc ?? [])],
    ['Date', mail.date],
    ['Attachments', mail.attachments.map(({ filename }) => filename ?? '').join(', ')],
  ].filter(([, value]) => value)
  const body = mail.text?.trim() ? mail.text : htmlToText(mail.html ?? '')
  return `${head.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body}`
}

const listed = (people: Address[]): string =>
  people.map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || '')).join(', ')
