import { strFromU8, unzipSync, type Unzipped } from 'fflate'

// Reads the texts of the first sheet of a workbook by ECMA-376. Of a formula, the value that was stored with it is read.
// Trusted Types forbid DOMParser, so the few elements that count are read from the tags.

const MOST_BYTES = 10 * 1024 ** 2
const MOST_UNPACKED = 50 * 1024 ** 2
const MOST_COLUMNS = 100
const WANTED = /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/

interface Row {
  row: number
  cells: string[]
}

/** The cells of each row that has any, by its number in the sheet. Undefined for a file that is no workbook. */
export async function readWorkbook(file: Blob): Promise<Row[] | undefined> {
  if (file.size > MOST_BYTES) return undefined
  try {
    const parts = unpacked(new Uint8Array(await file.arrayBuffer()))
    const sheet = parts[firstSheetOf(parts)]
    const shared = parts['xl/sharedStrings.xml']
    return sheet && rowsOf(sheet, shared ? stringsOf(shared) : [])
  } catch {
    return undefined
  }
}

function unpacked(bytes: Uint8Array): Unzipped {
  let total = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!WANTED.test(name)) return false
    total += originalSize
    return total <= MOST_UNPACKED
  }
  return unzipSync(bytes, { filter })
}

interface Event {
  kind: 'open' | 'close' | 'text'
  /** Of an element, without its prefix, which differs between programs. */
  name: string
  /** Of an element, its attributes; else the text. */
  text: string
}

/** No tag has a "<" inside, so that a file with unclosed ones takes no longer. */
const TAG =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^<>]*>|<(\/?)(?:[\w.-]+:)?([\w.-]+)(?![\w.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g
const PAIRS = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
] as const

function* eventsOf(part: Uint8Array): Iterable<Event> {
  const xml = strFromU8(part)
  for (const [begin, end] of PAIRS)
    if (xml.lastIndexOf(begin) > xml.lastIndexOf(end)) throw new Error(`${begin} without ${end}`)
  let from = 0
  for (const { 0: tag, 1: raw, 2: slash, 3: name, 4: attributes = '', index } of xml.matchAll(TAG)) {
    if (index > from) yield { kind: 'text', name: '', text: decoded(xml.slice(from, index)) }
    from = index + tag.length
    if (raw !== undefined) yield { kind: 'text', name: '', text: raw }
    if (name === undefined) continue
    if (slash !== '/') yield { kind: 'open', name, text: attributes }
    if (slash === '/' || attributes.endsWith('/')) yield { kind: 'close', name, text: '' }
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string) =>
  text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (all, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? all
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
  })

function attribute(attributes: string, name: RegExp): string | undefined {
  for (const [, key = '', double, single] of attributes.matchAll(
    /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (name.test(key)) return decoded(double ?? single ?? '')
  return undefined
}

function firstSheetOf(parts: Unzipped): string {
  const book = parts['xl/workbook.xml']
  const links = parts['xl/_rels/workbook.xml.rels']
  if (!book || !links) return ''
  const first = [...eventsOf(book)].find(({ kind, name }) => kind === 'open' && name === 'sheet')
  const id = attribute(first?.text ?? '', /:id$/)
  const link = [...eventsOf(links)].find(
    ({ kind, name, text }) => kind === 'open' && name === 'Relationship' && attribute(text, /^Id$/) === id,
  )
  const target = attribute(link?.text ?? '', /^Target$/) ?? ''
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** Collects the text of elements, without the readings that East Asian texts have beside them. */
class Collector {
  text = ''
  #isOpen = false
  #isReading = false

  take({ kind, name, text }: Event): void {
    if (name === 'rPh') this.#isReading = kind === 'open'
    if (name === 't' || name === 'v') this.#isOpen = kind === 'open'
    if (kind === 'text' && this.#isOpen && !this.#isReading) this.text += plain(text)
  }
}

const plain = (text: string) =>
  text.replaceAll(/_x([\da-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function stringsOf(part: Uint8Array): string[] {
  const strings: string[] = []
  let collector = new Collector()
  for (const event of eventsOf(part)) {
    collector.take(event)
    if (event.name !== 'si') continue
    if (event.kind === 'close') strings.push(collector.text)
    collector = new Collector()
  }
  return strings
}

function rowsOf(part: Uint8Array, strings: readonly string[]): Row[] {
  const rows: Row[] = []
  let cell = { at: 0, isShared: false, collector: new Collector() }
  for (const event of eventsOf(part)) {
    const { kind, name, text } = event
    const row = rows.at(-1)
    if (kind === 'open' && name === 'row')
      rows.push({ row: Number(attribute(text, /^r$/)) || (row?.row ?? 0) + 1, cells: [] })
    if (kind === 'open' && name === 'c') {
      const at = columnOf(attribute(text, /^r$/)) ?? row?.cells.length ?? 0
      cell = { at, isShared: attribute(text, /^t$/) === 's', collector: new Collector() }
    }
    cell.collector.take(event)
    if (kind !== 'close' || name !== 'c' || !row || cell.at >= MOST_COLUMNS) continue
    const value = cell.collector.text
    while (row.cells.length < cell.at) row.cells.push('')
    row.cells[cell.at] = cell.isShared ? (strings[Number(value)] ?? '') : value
  }
  return rows
}

/** 0 for "A7", 26 for "AA7". */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
