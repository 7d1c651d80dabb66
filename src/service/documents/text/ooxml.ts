import { attributeOf, readXml, type Tag } from './markup.ts'
import type { OfficeContainer } from './office-container.ts'

/** Reads the text of documents, sheets and slides from Word, Excel and PowerPoint: what a print shows, in its order. */

const nameOf = ({ name }: Tag): string => name.slice(name.indexOf(':') + 1)
/** slide2 before slide10. */
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
const matching = ({ names }: OfficeContainer, pattern: RegExp) =>
  names.filter((name) => pattern.test(name)).sort(byNumber)

export async function readDocument(container: OfficeContainer, maxLength: number): Promise<string> {
  const parts = ['word/document.xml', ...matching(container, /^word\/(header|footer|footnotes|endnotes)\d*\.xml$/)]
  return readParts(container, parts, maxLength)
}

export async function readSlides(container: OfficeContainer, maxLength: number): Promise<string> {
  return readParts(container, matching(container, /^ppt\/slides\/slide\d+\.xml$/), maxLength)
}

async function readParts(container: OfficeContainer, parts: string[], maxLength: number): Promise<string> {
  const texts: string[] = []
  let length = 0
  for (const part of parts) {
    if (length >= maxLength) break
    const text = runsOf(await container.read(part), maxLength - length)
    texts.push(text)
    length += text.length
  }
  return texts.join('\n')
}

/** Returns the text in `t` elements. Tracked deletions are in other elements. */
function runsOf(xml: string, maxLength: number): string {
  let text = ''
  let inRun = false
  for (const token of readXml(xml)) {
    if (text.length >= maxLength) break
    if (token.kind === 'text') {
      if (inRun) text += token.text
      continue
    }
    const name = nameOf(token)
    // A hidden slide is not printed either.
    if (name === 'sld' && attributeOf(token, 'show') === '0') return ''
    if (name === 't') inRun = token.kind === 'open'
    else if (name === 'tab' || (name === 'tc' && token.kind === 'close')) text += '\t'
    else if (name === 'br' || name === 'cr' || (name === 'p' && token.kind !== 'open')) text += '\n'
  }
  return text
}

export async function readSheets(container: OfficeContainer, maxLength: number): Promise<string> {
  const shared = sharedStrings(await container.read('xl/sharedStrings.xml'))
  const texts: string[] = []
  let length = 0
  for (const { name, part } of await listSheets(container)) {
    if (length >= maxLength) break
    const text = `${name}\n${cellsOf(await container.read(part), shared, maxLength - length)}`
    texts.push(text)
    length += text.length
  }
  return texts.join('\n')
}

async function listSheets(container: OfficeContainer): Promise<{ name: string; part: string }[]> {
  const targets = new Map<string, string>()
  for (const token of readXml(await container.read('xl/_rels/workbook.xml.rels'))) {
    if (token.kind === 'text' || nameOf(token) !== 'Relationship') continue
    const target = attributeOf(token, 'Target')?.replace(/^\/?(xl\/)?/, '')
    if (target !== undefined) targets.set(attributeOf(token, 'Id') ?? '', `xl/${target}`)
  }
  const sheets: { name: string; part: string }[] = []
  for (const token of readXml(await container.read('xl/workbook.xml'))) {
    if (token.kind === 'text' || token.kind === 'close' || nameOf(token) !== 'sheet') continue
    const part = targets.get(
      attributeOf({ ...token, attributes: token.attributes.replace(/\ssheetId=/, ' ') }, 'id') ?? '',
    )
    const isShown = (attributeOf(token, 'state') ?? 'visible') === 'visible'
    if (part !== undefined && isShown) sheets.push({ name: attributeOf(token, 'name') ?? '', part })
  }
  return sheets
}

/** Returns one text per `si`, without its phonetic reading (`rPh`). */
function sharedStrings(xml: string): string[] {
  const strings: string[] = []
  let current = ''
  let inText = false
  let inPhonetic = false
  for (const token of readXml(xml)) {
    if (token.kind === 'text') {
      if (inText && !inPhonetic) current += token.text
      continue
    }
    const name = nameOf(token)
    if (name === 't') inText = token.kind === 'open'
    else if (name === 'rPh') inPhonetic = token.kind === 'open'
    else if (name === 'si' && token.kind !== 'open') {
      strings.push(current)
      current = ''
    }
  }
  return strings
}

function cellsOf(xml: string, shared: string[], maxLength: number): string {
  let text = ''
  let isShared = false
  let inValue = false
  for (const token of readXml(xml)) {
    if (text.length >= maxLength) break
    if (token.kind === 'text') {
      if (inValue) text += isShared ? (shared[Number(token.text)] ?? '') : token.text
      continue
    }
    const name = nameOf(token)
    if (name === 'c') {
      isShared = attributeOf(token, 't') === 's'
      if (token.kind === 'close') text += '\t'
    } else if (name === 'v' || name === 't') inValue = token.kind === 'open'
    else if (name === 'row' && token.kind === 'close') text += '\n'
  }
  return text
}
