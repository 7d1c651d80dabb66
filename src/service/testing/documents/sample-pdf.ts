/** One page of a generated PDF. By default it is A4, upright and white with dark text. */
export interface SamplePage {
  /** Media box. */
  box?: readonly [number, number, number, number]
  /** More entries of the page, in PDF syntax: "/Rotate 90". */
  entries?: string
  /** PDF operators; the font is /F. */
  content?: string
  /** A reference to other content, or an array of them. */
  contents?: string
  /** More fonts: "/G 14 0 R". */
  fonts?: string
  /** More resources: "/XObject<</X 12 0 R>>". */
  resources?: string
}

const A4 = [0, 0, 595, 842] as const
const TEXT = 'BT /F 14 Tf 60 700 Td (The quick brown fox jumps over the lazy dog) Tj ET'

/** A minimal PDF. `catalog` and `objects` are written unchanged; `objects` are numbered from `firstObject` on. */
export function samplePdf(
  pages: readonly SamplePage[],
  more: { catalog?: string; objects?: readonly string[] } = {},
): Buffer {
  const numbered: [number, string][] = [
    [1, `<</Type/Catalog/Pages 2 0 R${more.catalog ?? ''}>>`],
    [2, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${10 + at * 2} 0 R`).join(' ')}]>>`],
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
  ]
  for (const [at, { box = A4, entries = '', content = TEXT, resources = '', fonts = '', ...page }] of pages.entries()) {
    const number = 10 + at * 2
    const dictionary = `<</Type/Page/Parent 2 0 R/MediaBox[${box.join(' ')}]/Resources<</Font<</F 3 0 R${fonts}>>${resources}>>/Contents ${page.contents ?? `${number + 1} 0 R`}${entries}>>`
    numbered.push([number, dictionary], [number + 1, `<</Length ${content.length}>>stream\n${content}\nendstream`])
  }
  const first = firstObject(pages.length)
  for (const [at, object] of (more.objects ?? []).entries()) numbered.push([first + at, object])
  return assemble(numbered)
}

/** The number of the first of `more.objects`, for references to them. */
export const firstObject = (pages: number): number => 10 + pages * 2

function assemble(objects: readonly [number, string][]): Buffer {
  let text = '%PDF-1.7\n'
  const rows = ['0 1\n0000000000 65535 f \n']
  for (const [number, object] of objects) {
    rows.push(`${number} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${number} 0 obj\n${object}\nendobj\n`
  }
  const size = Math.max(...objects.map(([number]) => number)) + 1
  return Buffer.from(
    `${text}xref\n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
