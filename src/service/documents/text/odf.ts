import { attributeOf, readXml, type Tag } from './markup.ts'
import type { OfficeContainer } from './office-container.ts'

/** Comments, tracked deletions, speaker notes and form definitions, none of which is printed. */
const UNSEEN = ['office:annotation', 'text:tracked-changes', 'presentation:notes', 'office:forms']
/** On a master page, they hold what another page would show. */
const FIELDS = ['page-number', 'page-count', 'sheet-name', 'title', 'date', 'time', 'file-name', 'author-name']
const UNSEEN_BEHIND = [...UNSEEN, ...FIELDS.map((name) => `text:${name}`), 'style:style']
const PARAGRAPHS = new Set(['text:p', 'text:h', 'presentation:footer-decl', 'presentation:header-decl'])
const MAX_SPACES = 100

/** Returns the text of OpenDocument texts, sheets and slides, in the order of the file, then of charts and headers. */
export async function readOdf(container: OfficeContainer, maxLength: number): Promise<string> {
  const content = await container.read('content.xml')
  const isUnseen = namedIn(UNSEEN)
  const texts = [paragraphsOf(content, maxLength, isUnseen)]
  let length = texts[0]?.length ?? 0
  const add = (text: string) => {
    if (text !== '') texts.push(text)
    length += text.length
  }
  for (const name of container.names.filter((each) => /^Object \d+\/content\.xml$/.test(each))) {
    if (length >= maxLength) break
    const object = await container.read(name)
    if (object.includes('<office:chart')) add(paragraphsOf(object, maxLength - length, isUnseen))
  }
  if (length < maxLength) add(mastersOf(await container.read('styles.xml'), content, maxLength - length))
  return texts.join('\n')
}

const namedIn = (names: readonly string[]) => {
  const set = new Set(names)
  return ({ name }: Tag) => set.has(name)
}

/** Returns the texts of headers and footers, and of shapes behind slides, on the master pages that the content uses. */
function mastersOf(styles: string, content: string, maxLength: number): string {
  const used = usedMasters([content, styles])
  const isField = namedIn(UNSEEN_BEHIND)
  return paragraphsOf(styles, maxLength, (tag) => {
    if (tag.name === 'style:master-page') return !used.has(attributeOf(tag, 'name') ?? '')
    if (/^style:(header|footer)/.test(tag.name)) return attributeOf(tag, 'display') === 'false'
    return isField(tag) || (tag.name === 'draw:frame' && attributeOf(tag, 'class') !== undefined)
  })
}

function usedMasters(parts: readonly string[]): Set<string> {
  const used = new Set(['Standard', 'Default'])
  for (const part of parts) for (const [, name] of part.matchAll(/:master-page-name="([^"]*)"/g)) used.add(name ?? '')
  return used
}

function paragraphsOf(xml: string, maxLength: number, isUnseen: (tag: Tag) => boolean): string {
  let text = ''
  let paragraphs = 0
  /** The element whose content is skipped, and how many of its name are open. */
  let unseen: { name: string; open: number } | undefined
  for (const token of readXml(xml)) {
    if (text.length >= maxLength) break
    if (token.kind === 'text') {
      if (paragraphs > 0 && unseen === undefined) text += token.text
      continue
    }
    const { kind, name } = token
    if (unseen !== undefined) {
      if (name === unseen.name && kind !== 'empty') unseen.open += kind === 'open' ? 1 : -1
      if (unseen.open === 0) unseen = undefined
      continue
    }
    if (kind === 'open' && isUnseen(token)) {
      unseen = { name, open: 1 }
      continue
    }
    if (PARAGRAPHS.has(name)) {
      if (kind !== 'empty') paragraphs += kind === 'open' ? 1 : -1
      if (kind !== 'open') text += '\n'
    } else if (name === 'text:s') text += ' '.repeat(Math.min(Number(attributeOf(token, 'c') ?? 1) || 1, MAX_SPACES))
    else if (name === 'text:tab' || (name === 'table:table-cell' && kind !== 'open')) text += '\t'
    else if (name === 'text:line-break') text += '\n'
  }
  return text
}
