import { strToU8, zipSync } from 'fflate'

type Cell = string | number

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const MIME = 'application/vnd.openxmlformats-officedocument'

/** A Word document: a heading, then paragraphs. */
export function docx(title: string, paragraphs: string[]): Uint8Array {
  const run = (line: string, style = '') =>
    `<w:p><w:r>${style && `<w:rPr>${style}</w:rPr>`}<w:t xml:space="preserve">${escape(line)}</w:t></w:r></w:p>`
  const body = [run(title, '<w:b/><w:sz w:val="36"/>'), ...paragraphs.map((paragraph) => run(paragraph))].join('')
  return zip(
    {
      'word/document.xml':
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}` +
        `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`,
    },
    { 'word/document.xml': `${MIME}.wordprocessingml.document.main+xml` },
  )
}

/** An Excel workbook with one sheet. */
export function xlsx(sheet: string, rows: Cell[][]): Uint8Array {
  const cell = (value: Cell, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`
  const row = (cells: Cell[], index: number) =>
    `<row r="${index + 1}">${cells.map((value, column) => cell(value, `${columnName(column)}${index + 1}`)).join('')}</row>`
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return zip(
    {
      'xl/workbook.xml':
        `<workbook xmlns="${main}" xmlns:r="${OFFICE}/relationships"><sheets>` +
        `<sheet name="${escape(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`,
    },
    {
      'xl/workbook.xml': `${MIME}.spreadsheetml.sheet.main+xml`,
      'xl/worksheets/sheet1.xml': `${MIME}.spreadsheetml.worksheet+xml`,
    },
  )
}

const columnName = (index: number) => String.fromCodePoint(65 + index)

const relationship = (type: string, target: string) =>
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/${type}" ` +
  `Target="${target}"/></Relationships>`

/** Puts the parts into a package: content types first, as readers that sniff expect. The first type is the main part. */
function zip(parts: Record<string, string>, types: Record<string, string>): Uint8Array {
  const [main = ''] = Object.keys(types)
  const overrides = Object.entries(types).map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
  const all: Record<string, string> = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relationship('officeDocument', main),
    ...parts,
  }
  const files = Object.entries(all).map(([name, content]) => [name, strToU8(XML + content)] as const)
  return zipSync(Object.fromEntries(files))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
