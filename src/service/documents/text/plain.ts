import { formatOf } from '../formats.ts'
import { isCompound } from './compound-file.ts'
import { decodeHtml, decodeText } from './decode.ts'
import { MAX_MAIL_BYTES, mailText, readArchive, readMail } from './mail.ts'
import { htmlToText } from './markup.ts'
import { readHead } from './read-head.ts'

/** Formats whose text is read from their bytes, not from the parts of a container. */
export type PlainText = 'plain' | 'xml' | 'svg' | 'html' | 'mail' | 'archive'

const READERS: Record<PlainText, (bytes: Buffer) => string | Promise<string>> = {
  plain: (bytes) => decodeText(bytes),
  xml: (bytes) => decodeText(bytes, xmlEncoding(bytes)),
  svg: (bytes) => htmlToText(decodeText(bytes, xmlEncoding(bytes))),
  html: (bytes) => htmlToText(decodeHtml(bytes)),
  mail: readMailText,
  archive: async (bytes) => htmlToText((await readArchive(bytes))?.html ?? ''),
}

const isPlain = (text: string): text is PlainText => text in READERS

/** Returns the text of a file without markup, from at most its first `maxBytes` bytes. */
export async function readPlainText(path: string, contentType: string, maxBytes: number): Promise<string> {
  const text = formatOf(contentType)?.text ?? 'none'
  if (!isPlain(text)) return ''
  // Neither an Outlook message nor a web archive can be read from its beginning alone.
  return READERS[text](await readHead(path, text === 'mail' || text === 'archive' ? MAX_MAIL_BYTES : maxBytes))
}

function xmlEncoding(bytes: Buffer): string | undefined {
  return /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]+)/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
}

/** Returns a mail that cannot be parsed as it is written, unless it is in the binary format of Outlook. */
async function readMailText(bytes: Buffer): Promise<string> {
  const mail = await readMail(bytes)
  if (mail !== undefined) return mailText(mail)
  return isCompound(bytes) ? '' : decodeText(bytes)
}
