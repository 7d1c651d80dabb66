import { strToU8, Zip, ZipDeflate } from 'fflate'

// A workbook by ECMA-376. Texts are inline strings, which no program takes for formulas.

/** Excel opens no sheet with more links. Later lines have their address as text only. */
const MOST_LINKS = 65_000
const NS = 'http://schemas.openxmlformats.org'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Lines that are written before the page may do something else. */
const AT_ONCE = 1000

interface WorkbookRow {
  cells: readonly (string | number)[]
  bold?: boolean
  /** The address that the second cell opens. */
  link?: string
}

export interface WorkbookSheet {
  /** At most 31 letters, without [ ] : * ? / and \. */
  name: string
  widths: readonly number[]
  head: readonly string[]
  count: number
  row: (at: number) => WorkbookRow
}

export async function formatWorkbook(title: string, sheets: readonly WorkbookSheet[]): Promise<Blob> {
  const pieces: BlobPart[] = []
  const book = new Zip((error, bytes) => {
    if (error) throw error
    pieces.push(new Uint8Array(bytes))
  })
  for (const [name, texts] of partsOf(title, sheets)) {
    const part = new ZipDeflate(name, { level: 1 })
    book.add(part)
    part.push(strToU8(HEAD))
    for (const text of texts) {
      part.push(strToU8(text))
      await new Promise((resolve) => setTimeout(resolve))
    }
    part.push(new Uint8Array(), true)
  }
  book.end()
  return new Blob(pieces, { type: `${SHEETS}.sheet` })
}

type Part = readonly [name: string, texts: Iterable<string>]

function partsOf(title: string, sheets: readonly WorkbookSheet[]): Part[] {
  const book = [
    ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`, ''] as const),
    ['styles', 'styles.xml', ''] as const,
  ]
  return [
    ['[Content_Types].xml', [contentTypes(sheets.length)]],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml', '']])],
    ['docProps/core.xml', [coreOf(title)]],
    ['xl/workbook.xml', [workbookOf(sheets)]],
    ['xl/_rels/workbook.xml.rels', relationships(book)],
    ['xl/styles.xml', [STYLES]],
    ...sheets.flatMap((sheet, at): Part[] => [
      [`xl/worksheets/sheet${at + 1}.xml`, sheetOf(sheet)],
      [
        `xl/worksheets/_rels/sheet${at + 1}.xml.rels`,
        relationships(linksOf(sheet).map((link) => ['hyperlink', link, ' TargetMode="External"'] as const)),
      ],
    ]),
  ]
}

/** The links of the first rows; where a row has none, no row has one. */
function linksOf({ count, row }: WorkbookSheet): string[] {
  return indexes(Math.min(count, MOST_LINKS)).flatMap((at) => row(at).link ?? [])
}

const indexes = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Some texts at a time, together. */
function* joined<Item>(items: readonly Item[], textOf: (item: Item, at: number) => string): Iterable<string> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    yield items
      .slice(from, from + AT_ONCE)
      .map((item, at) => textOf(item, from + at))
      .join('')
  }
}

function* sheetOf({ widths, head, count, row }: WorkbookSheet): Iterable<string> {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
  const links = count > 0 && row(0).link !== undefined ? Math.min(count, MOST_LINKS) : 0
  yield `<worksheet xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
  yield `<cols>${columns.join('')}</cols><sheetData>${rowOf(1, head, 1)}`
  yield* joined(indexes(count), (at) => rowOf(at + 2, row(at).cells, row(at).bold === true ? 1 : 0))
  yield `</sheetData><autoFilter ref="A1:${columnAt(head.length - 1)}${count + 1}"/>`
  if (links > 0) {
    yield '<hyperlinks>'
    yield* joined(indexes(links), (at) => `<hyperlink ref="B${at + 2}" r:id="rId${at + 1}"/>`)
    yield '</hyperlinks>'
  }
  yield '</worksheet>'
}

/** "A" to "Z", "AA" and so on. */
const columnAt = (at: number): string =>
  (at < 26 ? '' : columnAt(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

function rowOf(row: number, cells: readonly (string | number)[], style: number): string {
  const written = cells.map((cell, at) => {
    const place = `r="${columnAt(at)}${row}" s="${style}"`
    if (cell === '') return ''
    if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  return `<row r="${row}">${written.join('')}</row>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const MOST_LETTERS = 32_000

/** Text that XML may have; "_x0041_" would otherwise be read as the letter that it names. */
const escaped = (text: string) =>
  text
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? '')

function* relationships(of: readonly (readonly [type: string, target: string, mode: string])[]): Iterable<string> {
  yield `<Relationships xmlns="${NS}/package/2006/relationships">`
  yield* joined(of, ([type, target, mode], at) => {
    return `<Relationship Id="rId${at + 1}" Type="${NS}/officeDocument/2006/relationships/${type}" Target="${escaped(target)}"${mode}/>`
  })
  yield '</Relationships>'
}

const coreOf = (title: string) =>
  `<cp:coreProperties xmlns:cp="${NS}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(title)}</dc:title></cp:coreProperties>`

const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const contentTypes = (sheets: number) =>
  `<Types xmlns="${NS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEETS}.sheet.main+xml"/>${indexes(
    sheets,
  )
    .map((at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${SHEETS}.worksheet+xml"/>`)
    .join(
      '',
    )}<Override PartName="/xl/styles.xml" ContentType="${SHEETS}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
const workbookOf = (sheets: readonly WorkbookSheet[]) =>
  `<workbook xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheets>${sheets.map(({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`
const STYLES = `<styleSheet xmlns="${NS}/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf fontId="0"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`
