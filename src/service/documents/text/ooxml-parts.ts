import { attributeOf, readXml, type Tag, type Token } from './markup.ts'
import type { OfficeContainer } from './office-container.ts'

/** Follows the relations of the parts of an OOXML file, so that only text of what is shown is read. */

export const nameOf = ({ name }: Tag): string => name.slice(name.indexOf(':') + 1)

/** Parts that one part may lead to. */
const MAX_RELATED = 1000

/** Returns the parts to which a part relates in one of these ways: the last segment of the type. */
export async function relatedParts(
  container: OfficeContainer,
  part: string,
  types: readonly string[],
): Promise<string[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const parts = new Set<string>()
  for (const token of readXml(await container.read(`${folder}_rels/${part.slice(folder.length)}.rels`))) {
    if (token.kind === 'text' || nameOf(token) !== 'Relationship') continue
    const type = attributeOf(token, 'Type') ?? ''
    const target = attributeOf(token, 'Target')
    if (target !== undefined && types.includes(type.slice(type.lastIndexOf('/') + 1))) parts.add(within(folder, target))
    if (parts.size === MAX_RELATED) break
  }
  return [...parts]
}

/** Returns the name of a part, given relatively to a folder; "" if it is none. */
function within(folder: string, target: string): string {
  try {
    return decodeURI(new URL(target, `part:/${folder}`).pathname).slice(1)
  } catch {
    return ''
  }
}

/** Returns the words of a chart or diagram: titles, and the names of series and categories, each once. */
export function drawnTextOf(xml: string, maxLength: number): string {
  const lines = new Set<string>()
  const open: string[] = []
  let line = ''
  let length = 0
  const endLine = () => {
    if (line.trim() !== '' && !lines.has(line.trim())) length += line.length
    if (line.trim() !== '') lines.add(line.trim())
    line = ''
  }
  for (const token of readXml(xml)) {
    if (length >= maxLength) break
    if (token.kind === 'text') {
      if (isWord(open)) line += token.text
      continue
    }
    follow(open, token)
    if (['p', 'pt'].includes(nameOf(token)) && token.kind !== 'open') endLine()
  }
  endLine()
  return [...lines].join('\n').slice(0, maxLength)
}

const MAX_DEPTH = 1000

function follow(open: string[], token: Exclude<Token, { kind: 'text' }>): void {
  if (token.kind === 'open' && open.length < MAX_DEPTH) open.push(nameOf(token))
  else if (token.kind === 'close' && open.at(-1) === nameOf(token)) open.pop()
}

/** Whether the open elements are those of a run of text, or of a value that is a text. */
function isWord(open: readonly string[]): boolean {
  const last = open.at(-1)
  if (last === 't') return true
  return last === 'v' && open.at(-2) === 'pt' && ['strCache', 'lvl', 'strLit'].includes(open.at(-3) ?? '')
}

const DRAWN = ['chart', 'chartEx', 'diagramData']

/** Returns the text of the charts and diagrams of a part. */
export async function readDrawn(container: OfficeContainer, part: string, maxLength: number): Promise<string> {
  const texts: string[] = []
  let length = 0
  for (const drawn of await relatedParts(container, part, DRAWN)) {
    if (length >= maxLength) break
    const text = drawnTextOf(await container.read(drawn), maxLength - length)
    texts.push(text)
    length += text.length
  }
  return texts.filter((text) => text !== '').join('\n')
}

/** Formats, dates and numbers in a header: `&"Arial,Bold"&12&KFF0000Text &P of &N`. */
const CODES = /&(?:"[^"]{0,99}"|\d{1,4}|K(?:[\dA-F]{6}|\d\d[+-]\d{3})|[A-Z&])/gi

/** Returns the headers and footers of a sheet that pages show. */
export function headersOf(xml: string): string {
  const lines: string[] = []
  let shown: ReadonlySet<string> = new Set()
  let isOpen = false
  const start = xml.lastIndexOf('headerFooter', xml.lastIndexOf('headerFooter') - 1)
  for (const token of start < 0 ? [] : readXml(xml.slice(xml.lastIndexOf('<', start)))) {
    if (token.kind === 'text') {
      if (isOpen) lines.push(plain(token.text))
    } else if (nameOf(token) === 'headerFooter') shown = token.kind === 'open' ? shownHeaders(token) : new Set()
    else isOpen = token.kind === 'open' && shown.has(nameOf(token))
  }
  return lines.filter((line) => line !== '').join('\n')
}

function shownHeaders(tag: Tag): ReadonlySet<string> {
  const isSet = (name: string) => ['1', 'true'].includes(attributeOf(tag, name) ?? '')
  const kinds = ['odd', ...(isSet('differentOddEven') ? ['even'] : []), ...(isSet('differentFirst') ? ['first'] : [])]
  return new Set(kinds.flatMap((kind) => [`${kind}Header`, `${kind}Footer`]))
}

const plain = (text: string): string =>
  text.replaceAll(CODES, (code) => (code === '&&' ? '&' : /^&[LCR]$/i.test(code) ? '\t' : '')).trim()
