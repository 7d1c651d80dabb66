import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { strToU8, zipSync } from 'fflate'

/** Minimal Office files, into which tests put arbitrary content. */

type Parts = Record<string, string>

export const zipOf = (parts: Parts): Buffer<ArrayBuffer> =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))))

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'application/vnd.openxmlformats-officedocument'

export interface Relationship {
  id: string
  /** The last segment of its type. */
  type: string
  target: string
  external?: boolean
}

export function relationships(list: readonly Relationship[]): string {
  const each = list.map(
    ({ id, type, target, external }) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
  )
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

function contentTypes(overrides: Parts): string {
  const each = Object.entries(overrides).map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${each.join('')}</Types>`
}

/** A document with this WordprocessingML body; `w`, `r`, `a`, `pic` and `wp` are declared. */
export function docx(body: string, more: readonly Relationship[] = [], parts: Parts = {}): Buffer<ArrayBuffer> {
  const settings = 'word/settings.xml' in parts
  const own = settings ? [{ id: 'own1', type: 'settings', target: 'settings.xml' }] : []
  return zipOf({
    '[Content_Types].xml': contentTypes({
      'word/document.xml': `${MAIN}.wordprocessingml.document.main+xml`,
      ...(settings && { 'word/settings.xml': `${MAIN}.wordprocessingml.settings+xml` }),
    }),
    '_rels/.rels': relationships([{ id: 'r1', type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships([...own, ...more]),
    ...parts,
  })
}

export const paragraph = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** A picture whose bytes are linked, not embedded. */
export const linkedPicture = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** A workbook of sheets of rows of cells, given in SpreadsheetML. */
export function xlsx(
  sheets: { name: string; rows: string; state?: string }[],
  shared: string[] = [],
  parts: Parts = {},
): Buffer<ArrayBuffer> {
  const numbered = sheets.map((sheet, at) => ({ ...sheet, number: at + 1 }))
  return zipOf({
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': `${MAIN}.spreadsheetml.sheet.main+xml`,
      'xl/sharedStrings.xml': `${MAIN}.spreadsheetml.sharedStrings+xml`,
      ...Object.fromEntries(
        numbered.map(({ number }) => [`xl/worksheets/sheet${number}.xml`, `${MAIN}.spreadsheetml.worksheet+xml`]),
      ),
    }),
    '_rels/.rels': relationships([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${numbered
      .map(
        ({ name, number, state }) =>
          `<sheet name="${name}" sheetId="${number}"${state ? ` state="${state}"` : ''} r:id="s${number}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...numbered.map(({ number }) => ({
        id: `s${number}`,
        type: 'worksheet',
        target: `worksheets/sheet${number}.xml`,
      })),
      { id: 'strings', type: 'sharedStrings', target: 'sharedStrings.xml' },
    ]),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      numbered.map(({ number, rows }) => [
        `xl/worksheets/sheet${number}.xml`,
        `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  })
}

const ODF_NAMESPACES = ['office', 'text', 'table', 'draw', 'script']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`)
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dom="http://www.w3.org/2001/xml-events"')
  .join(' ')

/** A document with this OpenDocument body; `office`, `text`, `table`, `draw`, `script` and `xlink` are declared. */
export function odf(kind: 'text' | 'spreadsheet', body: string, parts: Parts = {}, scripts = ''): Buffer<ArrayBuffer> {
  const type = `application/vnd.oasis.opendocument.${kind}`
  const entries = Object.keys(parts).map(
    (path) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="text/xml"/>`,
  )
  return zipOf({
    mimetype: type,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>${entries.join('')}</manifest:manifest>`,
    'content.xml': `${XML}<office:document-content ${ODF_NAMESPACES} office:version="1.2">${scripts}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  })
}

const SF = 'http://developer.apple.com/namespaces/sf'

/** A document with one paragraph, in the format of Pages '09. */
export function pagesFile(text: string): Buffer<ArrayBuffer> {
  return zipOf({
    'index.xml': `${XML}<sl:document xmlns:sfa="${SF}a" xmlns:sf="${SF}" xmlns:sl="http://developer.apple.com/namespaces/sl" sl:version="92008102400"><sl:slprint-info sl:page-width="595" sl:page-height="842"/><sf:text-storage sf:kind="body"><sf:text-body><sf:section sf:name="1"><sf:layout sf:style="x"><sf:p sf:style="p">${text}</sf:p></sf:layout></sf:section></sf:text-body></sf:text-storage></sl:document>`,
  })
}

/** The beginning of a compound file whose directory names one stream. */
export function compound(name: string): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(512)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(9, 30)
  return Buffer.concat([header, Buffer.from(name, 'utf16le'), Buffer.alloc(512)])
}

/** A whole compound file of these streams. */
export function compoundFile(streams: Record<string, Buffer>): Buffer<ArrayBuffer> {
  const [STREAM, ROOT] = [2, 5]
  const files = Object.entries(streams).map(([name, bytes]) => ({
    name,
    type: STREAM,
    length: bytes.length,
    binaryProvider: () => Array.from(bytes),
  }))
  const children = files.map((_, at) => at + 1)
  return Buffer.from(burn([{ name: 'Root Entry', type: ROOT, length: 0, children }, ...files]))
}

/** Files of the formats of 97–2003 whose headers say that a password is needed; they hold nothing else. */
export function lockedFiles(): Record<'doc' | 'xls' | 'ppt', Buffer<ArrayBuffer>> {
  const word = Buffer.alloc(5000)
  word.writeUInt16LE(0xa5ec)
  word.writeUInt16LE(0x0100, 10)
  const workbook = Buffer.concat([
    Buffer.from('0908100000060500', 'hex'),
    Buffer.alloc(12),
    Buffer.from('2f000600', 'hex'),
  ])
  const user = Buffer.alloc(36)
  user.writeUInt32LE(0xf3d1c4df, 12)
  return {
    doc: compoundFile({ WordDocument: word }),
    xls: compoundFile({ Workbook: Buffer.concat([workbook, Buffer.alloc(5000)]) }),
    ppt: compoundFile({ 'Current User': user, 'PowerPoint Document': Buffer.alloc(5000) }),
  }
}

const VISIO = 'http://schemas.microsoft.com/visio/2010/relationships'
const related = (type: string, target: string) =>
  relationships([{ id: 'r1', type: '', target }]).replace(`${OFFICE}/`, `${VISIO}/${type}`)

/** A Visio drawing of one page with one shape, which holds this text. */
export function visio(text: string): Buffer<ArrayBuffer> {
  const main = 'xmlns="http://schemas.microsoft.com/office/visio/2012/main"'
  const cells = (values: Record<string, number>) =>
    Object.entries(values)
      .map(([name, value]) => `<Cell N="${name}" V="${value}"/>`)
      .join('')
  const place = { PinX: 4, PinY: 6, Width: 4, Height: 1, LocPinX: 2, LocPinY: 0.5 }
  return zipOf({
    '[Content_Types].xml': contentTypes({
      'visio/document.xml': 'application/vnd.ms-visio.drawing.main+xml',
      'visio/pages/pages.xml': 'application/vnd.ms-visio.pages+xml',
      'visio/pages/page1.xml': 'application/vnd.ms-visio.page+xml',
    }),
    '_rels/.rels': related('document', 'visio/document.xml'),
    'visio/document.xml': `${XML}<VisioDocument ${main}/>`,
    'visio/_rels/document.xml.rels': related('pages', 'pages/pages.xml'),
    'visio/pages/pages.xml': `${XML}<Pages ${main} xmlns:r="${OFFICE}"><Page ID="0" Name="Page-1"><PageSheet>${cells({ PageWidth: 8, PageHeight: 11, PageScale: 1, DrawingScale: 1 })}</PageSheet><Rel r:id="r1"/></Page></Pages>`,
    'visio/pages/_rels/pages.xml.rels': related('page', 'page1.xml'),
    'visio/pages/page1.xml': `${XML}<PageContents ${main}><Shapes><Shape ID="1" Type="Shape">${cells(place)}<Text>${text}</Text></Shape></Shapes></PageContents>`,
  })
}
