import { strToU8, zipSync } from 'fflate'

type Cell = string | number

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const MIME = 'application/vnd.openxmlformats-officedocument'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main'

interface Part {
  type?: string
  content: string
}

/** A Word document: a title, then paragraphs; "# " begins a heading. `right`: the script runs right to left. */
export function docx(title: string, paragraphs: string[], { right = false } = {}): Uint8Array {
  const run = (line: string, style = '') =>
    `<w:p>${right ? '<w:pPr><w:bidi/></w:pPr>' : ''}<w:r><w:rPr>${style}${right ? '<w:rtl/>' : ''}</w:rPr>` +
    `<w:t xml:space="preserve">${escape(line)}</w:t></w:r></w:p>`
  const body = paragraphs.map((line) =>
    line.startsWith('# ') ? run(line.slice(2), '<w:b/><w:sz w:val="26"/>') : run(line),
  )
  return zip('word/document.xml', {
    'word/document.xml': {
      type: 'wordprocessingml.document.main',
      content: `<w:document xmlns:w="${WORD}"><w:body>${run(title, '<w:b/><w:sz w:val="36"/>')}${body.join('')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`,
    },
  })
}

/** An Excel workbook of sheets by name. */
export function xlsx(sheets: Record<string, Cell[][]>): Uint8Array {
  const cell = (value: Cell, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`
  const row = (cells: Cell[], at: number) =>
    `<row r="${at + 1}">${cells.map((value, column) => cell(value, `${columnName(column)}${at + 1}`)).join('')}</row>`
  const all = Object.entries(sheets).map(([name, rows], at) => ({ name, rows, number: at + 1 }))
  return zip('xl/workbook.xml', {
    'xl/workbook.xml': {
      type: 'spreadsheetml.sheet.main',
      content:
        `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}/relationships"><sheets>` +
        all
          .map(({ name, number }) => `<sheet name="${escape(name)}" sheetId="${number}" r:id="rId${number}"/>`)
          .join('') +
        '</sheets></workbook>',
    },
    'xl/_rels/workbook.xml.rels': {
      content: relationships(all.map(({ number }) => ['worksheet', `worksheets/sheet${number}.xml`])),
    },
    ...Object.fromEntries(
      all.map(({ rows, number }) => [
        `xl/worksheets/sheet${number}.xml`,
        {
          type: 'spreadsheetml.worksheet',
          content: `<worksheet xmlns="${SHEET}"><cols><col min="1" max="12" width="20" customWidth="1"/></cols><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`,
        },
      ]),
    ),
  })
}

/** A PowerPoint presentation of slides with a title and lines. */
export function pptx(slides: { title: string; lines: string[] }[]): Uint8Array {
  const all = slides.map((slide, at) => ({ ...slide, number: at + 1 }))
  const names = `xmlns:p="${SLIDES}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}/relationships"`
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const map = `<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>`
  return zip('ppt/presentation.xml', {
    'ppt/presentation.xml': {
      type: 'presentationml.presentation.main',
      content:
        `<p:presentation ${names}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>` +
        all.map(({ number }) => `<p:sldId id="${255 + number}" r:id="rId${number + 1}"/>`).join('') +
        '</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
    },
    'ppt/_rels/presentation.xml.rels': {
      content: relationships([
        ['slideMaster', 'slideMasters/slideMaster1.xml'],
        ...all.map(({ number }): [string, string] => ['slide', `slides/slide${number}.xml`]),
      ]),
    },
    'ppt/slideMasters/slideMaster1.xml': {
      type: 'presentationml.slideMaster',
      content: `<p:sldMaster ${names}>${tree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    },
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': {
      content: relationships([
        ['slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['theme', '../theme/theme1.xml'],
      ]),
    },
    'ppt/slideLayouts/slideLayout1.xml': {
      type: 'presentationml.slideLayout',
      content: `<p:sldLayout ${names}>${tree('')}</p:sldLayout>`,
    },
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': {
      content: relationships([['slideMaster', '../slideMasters/slideMaster1.xml']]),
    },
    'ppt/theme/theme1.xml': { type: 'theme', content: THEME },
    ...Object.fromEntries(
      all.flatMap(({ title, lines, number }) => [
        [
          `ppt/slides/slide${number}.xml`,
          {
            type: 'presentationml.slide',
            content: `<p:sld ${names}>${tree(box(2, 500_000, 3200, [title]) + box(3, 1_700_000, 2000, lines))}</p:sld>`,
          },
        ],
        [
          `ppt/slides/_rels/slide${number}.xml.rels`,
          { content: relationships([['slideLayout', '../slideLayouts/slideLayout1.xml']]) },
        ],
      ]),
    ),
  })
}

const box = (id: number, y: number, size: number, lines: string[]) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>` +
  `<p:spPr><a:xfrm><a:off x="700000" y="${y}"/><a:ext cx="10700000" cy="4200000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>` +
  `<p:txBody><a:bodyPr wrap="square"/>${lines.map((line) => `<a:p><a:r><a:rPr lang="en-GB" sz="${size}"/><a:t>${escape(line)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`

const COLOURS = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
]
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
const THEME =
  `<a:theme xmlns:a="${DRAWING}" name="Harbour"><a:themeElements><a:clrScheme name="Harbour">` +
  COLOURS.map(
    (name, at) => `<a:${name}><a:srgbClr val="${at % 2 === 1 && at < 4 ? 'FFFFFF' : '0B5D66'}"/></a:${name}>`,
  ).join('') +
  '</a:clrScheme><a:fontScheme name="Harbour"><a:majorFont><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:majorFont>' +
  '<a:minorFont><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:minorFont></a:fontScheme>' +
  `<a:fmtScheme name="Harbour"><a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${`<a:ln w="6350">${FILL}</a:ln>`.repeat(3)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`

const columnName = (at: number) => String.fromCodePoint(65 + at)

function relationships(targets: [type: string, target: string][]): string {
  const each = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

/** Puts the parts into a package: content types first, as readers that detect the type expect. */
function zip(main: string, parts: Record<string, Part>): Uint8Array {
  const overrides = Object.entries(parts).flatMap(([name, { type }]) =>
    type === undefined ? [] : [`<Override PartName="/${name}" ContentType="${MIME}.${type}+xml"/>`],
  )
  const all: Record<string, string> = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relationships([['officeDocument', main]]),
    ...Object.fromEntries(Object.entries(parts).map(([name, { content }]) => [name, content])),
  }
  const files = Object.entries(all).map(([name, content]) => [name, strToU8(XML + content)] as const)
  return zipSync(Object.fromEntries(files))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
