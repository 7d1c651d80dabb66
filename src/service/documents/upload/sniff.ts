import { extname } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { formatOfExtension } from '../formats.ts'

export const UNKNOWN = 'application/octet-stream'
/** Some programs write a few lines before a PDF begins; readers search this far. */
const PDF_SEARCH_BYTES = 1024

/** Detects the type by content, and by name if the content leaves a choice. Ignores the type that the client sent. */
export async function sniff(head: Buffer, fileName: string): Promise<string> {
  const extension = extname(fileName).slice(1).toLowerCase()
  // A malformed header may make the detection itself fail; then it tells nothing.
  const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  const isText = found === 'application/xml' || (found === BITMAP && !isBitmap(head))
  if (found && !isText) return contentTypeOf(found, extension)
  const metafile = metafileOf(head, extension)
  if (metafile) return metafile
  if (head.subarray(0, PDF_SEARCH_BYTES).includes('%PDF-')) return 'application/pdf'
  if (isTiff(head) && /^tiff?$/.test(extension)) return 'image/tiff'
  const text = textOf(head, extension)
  return text === undefined ? UNKNOWN : textType(text, extension)
}

/** Containers whose content the first bytes do not tell, and the detection of the formats that they may hold. */
const CONTAINERS: Record<string, readonly string[]> = {
  'application/zip': ['zip'],
  'application/x-cfb': ['zip', 'compound'],
  'application/vnd.visio': ['zip'],
}
/** Outlook's archives of mailboxes, which the detection reports under the type of a single message. */
const PST = { detected: 'application/vnd.ms-outlook', type: 'application/vnd.ms-outlook-pst' }

/** Returns the type of what a container holds, by its extension. Other types are returned unchanged. */
function contentTypeOf(found: string, extension: string): string {
  if (found === PST.detected) return PST.type
  const format = formatOfExtension(extension)
  return format && CONTAINERS[found]?.includes(format.detection) ? format.type : found
}

function textFormatOf(extension: string): string | undefined {
  const format = formatOfExtension(extension)
  return format?.detection === 'text' ? format.type : undefined
}

/** A TIFF mostly describes itself at its end, which the detection misses. Raw photographs begin alike. */
const isTiff = (head: Buffer): boolean => ['II*\0', 'MM\0*'].includes(head.toString('latin1', 0, 4))

const BITMAP = 'image/bmp'

/** Two letters are the whole signature of a bitmap, and a text may begin with them too. */
const isBitmap = (head: Buffer): boolean =>
  head.length >= 26 && [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))

function metafileOf(head: Buffer, extension: string): string | undefined {
  if (head.length < 18) return undefined
  if (head.readUInt32LE(0) === 1 && head.toString('latin1', 40, 44) === ' EMF') return 'image/emf'
  const start = head.toString('hex', 0, 6)
  const isWmf = start.startsWith('d7cdc69a') || (extension === 'wmf' && /^0[12]000900000[13]$/.test(start))
  return isWmf ? 'image/wmf' : undefined
}

/** Returns undefined if it is not text. Invalid UTF-8 is an older encoding only if the extension promises text. */
function textOf(head: Buffer, extension: string): string | undefined {
  const isNamedText = textFormatOf(extension) !== undefined
  if (head.length === 0) return isNamedText ? '' : undefined
  if (head[0] === 0xff && head[1] === 0xfe) return head.subarray(2, head.length & ~1).toString('utf16le')
  const text = decodeUtf8(head) ?? (isNamedText ? head.toString('latin1') : undefined)
  return text === undefined || hasBinaryControls(text) ? undefined : text.replace(/^\ufeff/, '')
}

function decodeUtf8(head: Buffer): string | undefined {
  try {
    // `stream`: the last character may be cut off by the end of the head.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, { stream: true })
  } catch {
    return undefined
  }
}

export function hasBinaryControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
}

function textType(text: string, extension: string): string {
  const start = text.slice(0, MAX_PROLOG)
  const root = rootOf(start)
  if (root === 'html') return 'text/html'
  if (root === 'svg') return 'image/svg+xml'
  if (start.trimStart().startsWith('<?xml')) return xmlType(start, extension)
  return formatOfExtension(extension)?.root === undefined ? (textFormatOf(extension) ?? 'text/plain') : 'text/plain'
}

function xmlType(start: string, extension: string): string {
  const format = formatOfExtension(extension)
  return format?.root !== undefined && start.includes(`<${format.root}`) ? format.type : 'application/xml'
}

/** The root element is searched for within this many characters. */
const MAX_PROLOG = 4000

/**
 * Returns "html" or "svg" if the root element or the document type is one of these. Skips comments and processing
 * instructions in one pass; a regular expression for them takes exponential time.
 */
function rootOf(markup: string): string | undefined {
  for (let at = 0; ;) {
    while (/\s/.test(markup.charAt(at))) at++
    const rest = markup.slice(at, at + 30)
    const declared = /^<!doctype\s{1,9}(html|svg)\b/i.exec(rest)?.[1]
    if (declared !== undefined) return declared.toLowerCase()
    const closing = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined
    if (closing === undefined) return /^<(html|svg)(?=[\s>/])/i.exec(rest)?.[1]?.toLowerCase()
    const end = markup.indexOf(closing, at + 2)
    if (end < 0) return undefined
    at = end + closing.length
  }
}
