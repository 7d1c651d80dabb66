import { decodeHTML, decodeXML } from 'entities'
import { tidy } from './keepable.ts'

export interface Tag {
  kind: 'open' | 'close' | 'empty'
  name: string
  /** The text between the name and the end of the tag, as written. */
  attributes: string
}

export type Token = Tag | { kind: 'text'; text: string }

/**
 * Yields the tags and texts of XML, in time linear in its length, whatever it contains. Nothing is validated: truncated
 * or malformed XML yields what can be read. Entities that a document itself declares are not expanded.
 */
export function* readXml(xml: string): Generator<Token> {
  for (const piece of pieces(xml)) {
    if (piece.kind !== 'text') yield piece
    else yield { kind: 'text', text: piece.raw ? piece.text : decodeXML(piece.text) }
  }
}

interface Piece {
  kind: 'text'
  text: string
  raw: boolean
}

const SPECIAL = [
  { from: '<![CDATA[', to: ']]>', text: true },
  { from: '<!--', to: '-->', text: false },
  { from: '<?', to: '?>', text: false },
  { from: '<!', to: '>', text: false },
]

/** Yields the tags and texts of HTML as written, without scripts and styles, in time linear in its length. */
export const readHtml = (html: string): Generator<Tag | Piece> => pieces(html, true)

function* pieces(markup: string, isHtml = false): Generator<Tag | Piece> {
  const lower = isHtml ? markup.toLowerCase() : ''
  let at = 0
  while (at < markup.length) {
    const start = markup.indexOf('<', at)
    if (start !== at) yield { kind: 'text', text: markup.slice(at, start < 0 ? undefined : start), raw: false }
    if (start < 0) return
    const special = SPECIAL.find(({ from }) => markup.startsWith(from, start))
    const end = markup.indexOf(special?.to ?? '>', start + (special?.from.length ?? 1))
    if (end < 0) return
    at = end + (special?.to.length ?? 1)
    if (special) {
      if (special.text) yield { kind: 'text', text: markup.slice(start + special.from.length, end), raw: true }
      continue
    }
    const tag = tagOf(markup.slice(start + 1, end))
    const isProgram = isHtml && tag.kind === 'open' && /^(script|style)$/i.test(tag.name)
    if (!isProgram) yield tag
    // In scripts and styles, "<" is not markup.
    else at = beyond(lower.indexOf(`</${tag.name.toLowerCase()}`, at), markup.length)
  }
}

const beyond = (at: number, length: number): number => (at < 0 ? length : at)

/** No legitimate tag has more; the limit keeps the search for an attribute cheap. */
const MAX_ATTRIBUTES = 4096

function tagOf(inside: string): Tag {
  const kind = inside.startsWith('/') ? 'close' : inside.endsWith('/') ? 'empty' : 'open'
  const body = inside.slice(kind === 'close' ? 1 : 0, kind === 'empty' ? -1 : undefined)
  const end = body.search(/\s/)
  if (end < 0) return { kind, name: body, attributes: '' }
  return { kind, name: body.slice(0, end), attributes: body.slice(end, end + MAX_ATTRIBUTES) }
}

/** Returns the value of an attribute; names are matched without their prefix. */
export function attributeOf({ attributes }: Tag, name: string): string | undefined {
  const found = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : decodeXML(value)
}

const UNSEEN = new Set(['head', 'title', 'template', 'noscript', 'metadata'])
const INLINE =
  /^(a|abbr|b|bdi|bdo|cite|code|data|dfn|em|font|i|img|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|tspan|u|var|wbr)$/

/** Returns the visible text of an HTML page or an SVG drawing, as plain lines. */
export function htmlToText(html: string): string {
  const text: string[] = []
  let unseen: string | undefined
  for (const piece of readHtml(html)) {
    const name = piece.kind === 'text' ? '' : piece.name.toLowerCase()
    if (unseen !== undefined) {
      if (name === unseen || name === 'body') unseen = undefined
    } else if (piece.kind === 'text')
      text.push((piece.raw ? piece.text : decodeHTML(piece.text)).replaceAll(/\s+/g, ' '))
    else if (piece.kind === 'open' && UNSEEN.has(name)) unseen = name
    else if (/^t[dh]$/.test(name)) text.push('\t')
    else if (!INLINE.test(name)) text.push('\n')
  }
  return tidy(text.join(''))
}
