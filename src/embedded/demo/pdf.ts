const PAGE = { width: 595, height: 842, margin: 72 }
const LINE = 16
const LINES_A_PAGE = 40
const CHARACTERS_A_LINE = 82

/** A PDF 1.4 of A4 pages: a title, then paragraphs. Text beyond Latin-1 is not for it. */
export function pdf(title: string, paragraphs: string[]): Uint8Array {
  const lines = paragraphs.flatMap((paragraph) => [...wrap(paragraph), ''])
  const pages: string[][] = []
  for (let at = 0; at === 0 || at < lines.length; at += LINES_A_PAGE) pages.push(lines.slice(at, at + LINES_A_PAGE))
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`).join(' ')
  return assemble([
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>`,
    `<< /Title (${escape(title)}) /Producer (Strongroom) >>`,
    ...pages.flatMap((page, index) => pageObjects(page, index, pages.length, title)),
  ])
}

function pageObjects(lines: string[], index: number, count: number, title: string): [string, string] {
  const content = [
    text(index === 0 ? 20 : 11, PAGE.height - PAGE.margin, title),
    ...lines.map((line, row) => text(11, PAGE.height - PAGE.margin - 40 - row * LINE, line)),
    text(9, 40, `Page ${index + 1} of ${count}`),
  ].join('\n')
  const page =
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
    `/Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + index * 2} 0 R >>`
  return [page, `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`]
}

const text = (size: number, y: number, line: string) =>
  `BT /F1 ${size} Tf ${PAGE.margin} ${y} Td (${escape(line)}) Tj ET`

/** The typographic characters of WinAnsi that Latin-1 has not, then what a PDF string must escape. */
function escape(line: string): string {
  return line
    .replaceAll('–', '-')
    .replaceAll('’', "'")
    .replaceAll('€', 'EUR')
    .replaceAll(/[\\()]/g, (character) => `\\${character}`)
}

function wrap(paragraph: string): string[] {
  const lines: string[] = ['']
  for (const word of paragraph.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length <= CHARACTERS_A_LINE) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Numbers the objects and writes where each begins. */
function assemble(objects: string[]): Uint8Array {
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
