import { attributeOf, readXml } from './markup.ts'
import type { OfficeContainer } from './office-container.ts'
import { headersOf, nameOf, readDrawn, relatedParts } from './ooxml-parts.ts'

/** Reads the text of documents, sheets and slides from Word, Excel and PowerPoint: what a print shows, in its order. */

/** slide2 before slide10. */
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
const matching = ({ names }: OfficeContainer, pattern: RegExp) =>
  names.filter((name) => pattern.test(name)).sort(byNumber)

export async function readDocument(container: OfficeContainer, maxLength: number): Promise<string> {
  const parts = ['word/document.xml', ...matching(container, /^word\/(header|footer|footnotes|endnotes)\d*\.xml$/)]
  return gather(maxLength, parts, async (part, left) => {
    const text = runsOf(await container.read(part), left)
    const drawn = await readDrawn(container, part, left - text.length)
    return drawn === '' ? text : `${text}\n${drawn}`
  })
}

/** Notes are left out: whoever may only see the pages does not get them. */
export async function readSlides(container: OfficeContainer, maxLength: number): Promise<string> {
  const behind = new Set<string>()
  return gather(maxLength, matching(container, /^ppt\/slides\/slide\d+\.xml$/), async (part, left) => {
    const xml = await container.read(part)
    if (isHidden(xml)) return ''
    const text = runsOf(xml, left)
    const drawn = await readDrawn(container, part, left - text.length)
    const fixed = hidesMaster(xml) ? [] : await readBehind(container, part, left, behind)
    return [text, drawn, ...fixed].filter((each) => each !== '').join('\n')
  })
}

/** Returns the texts that the layout and master of a slide put on it, unless an earlier slide had them. */
async function readBehind(
  container: OfficeContainer,
  part: string,
  maxLength: number,
  known: Set<string>,
): Promise<string[]> {
  const texts: string[] = []
  for (let at = part, type = 'slideLayout'; ; type = 'slideMaster') {
    const [next] = await relatedParts(container, at, [type])
    if (next === undefined || known.has(next)) return texts
    const xml = await container.read(next)
    known.add(next)
    texts.push(runsOf(xml, maxLength, true))
    if (type === 'slideMaster' || hidesMaster(xml)) return texts
    at = next
  }
}

/** Whether the root, which is the first element, says that it is not shown, or shows nothing of its master. */
const rootSays = (xml: string, attribute: string): boolean => {
  for (const token of readXml(xml)) if (token.kind === 'open') return attributeOf(token, attribute) === '0'
  return false
}
const isHidden = (xml: string): boolean => rootSays(xml, 'show')
const hidesMaster = (xml: string): boolean => rootSays(xml, 'showMasterSp')

async function gather(
  maxLength: number,
  parts: readonly string[],
  read: (part: string, left: number) => Promise<string>,
): Promise<string> {
  const texts: string[] = []
  let length = 0
  for (const part of parts) {
    if (length >= maxLength) break
    const text = await read(part, maxLength - length)
    texts.push(text)
    length += text.length
  }
  return texts.join('\n')
}

/** Returns the text in `t` elements. Tracked deletions are in other elements. Placeholders (`ph`) show no text of their own. */
function runsOf(xml: string, maxLength: number, isBehind = false): string {
  let text = ''
  let inRun = false
  let inPlaceholder = false
  for (const token of readXml(xml)) {
    if (text.length >= maxLength) break
    if (token.kind === 'text') {
      if (inRun) text += token.text
      continue
    }
    const name = nameOf(token)
    if (isBehind && (name === 'sp' || name === 'ph')) inPlaceholder = name === 'ph'
    if (inPlaceholder) continue
    if (name === 't') inRun = token.kind === 'open'
    else if (name === 'tab' || (name === 'tc' && token.kind === 'close')) text += '\t'
    else if (name === 'br' || name === 'cr' || (name === 'p' && token.kind !== 'open')) text += '\n'
  }
  return text
}

export async function readSheets(container: OfficeContainer, maxLength: number): Promise<string> {
  const shared = sharedStrings(await container.read('xl/sharedStrings.xml'))
  const names = new Map((await listSheets(container)).map(({ part, name }) => [part, name]))
  return gather(maxLength, [...names.keys()], async (part, left) => {
    const xml = await container.read(part)
    const cells = `${names.get(part) ?? ''}\n${cellsOf(xml, shared, left)}`
    const more = [headersOf(xml), ...(await readDrawings(container, part, left - cells.length))]
    return [cells, ...more].filter((text) => text !== '').join('\n')
  })
}

/** Returns the texts of the shapes and charts of a sheet. A sheet that is a chart has one drawing. */
async function readDrawings(container: OfficeContainer, sheet: string, maxLength: number): Promise<string[]> {
  const texts: string[] = []
  for (const drawing of await relatedParts(container, sheet, ['drawing'])) {
    texts.push(runsOf(await container.read(drawing), maxLength), await readDrawn(container, drawing, maxLength))
  }
  return texts
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
