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

/** Written unchanged; `objects` are numbered from `firstObject` on. */
export interface SampleExtras {
  catalog?: string
  objects?: readonly string[]
}

/** A minimal PDF. */
export const samplePdf = (pages: readonly SamplePage[], more: SampleExtras = {}): Buffer =>
  assemble(objectsOf(pages, more))

/** The same PDF with its objects in two object streams, as most programs write a document today. */
export const packedPdf = (pages: readonly SamplePage[], more: SampleExtras = {}): Buffer =>
  assemblePacked(objectsOf(pages, more))

function objectsOf(pages: readonly SamplePage[], more: SampleExtras): [number, string][] {
  const numbered: [number, string][] = [
    [1, `<</Type/Catalog/Pages 2 0 R${more.catalog ?? ''}>>`],
    [2, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${firstObject(at)} 0 R`).join(' ')}]>>`],
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
  ]
  for (const [at, { box = A4, entries = '', content = TEXT, resources = '', fonts = '', ...page }] of pages.entries()) {
    const number = firstObject(at)
    const dictionary = `<</Type/Page/Parent 2 0 R/MediaBox[${box.join(' ')}]/Resources ${number + 2} 0 R/Contents ${page.contents ?? `${number + 1} 0 R`}${entries}>>`
    numbered.push([number, dictionary], [number + 1, `<</Length ${content.length}>>stream\n${content}\nendstream`])
    numbered.push([number + 2, `<</Font<</F 3 0 R${fonts}>>${resources}>>`])
  }
  const first = firstObject(pages.length)
  for (const [at, object] of (more.objects ?? []).entries()) numbered.push([first + at, object])
  return numbered
}

/** The number of the first of the extra objects, for references to them. */
export const firstObject = (pages: number): number => 10 + pages * 3

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

/** Pages and their resources are in a stream of their own, which readers open late. */
function assemblePacked(objects: readonly [number, string][]): Buffer {
  const size = Math.max(...objects.map(([number]) => number)) + 3
  const table = Buffer.alloc(size * 7)
  let text = '%PDF-1.7\n'
  const write = (number: number, object: string): void => {
    table.writeUInt8(1, number * 7)
    table.writeUInt32BE(text.length, number * 7 + 1)
    text += `${number} 0 obj\n${object}\nendobj\n`
  }
  const pack = (stream: number, held: readonly [number, string][]): void => {
    let content = ''
    const offsets = held.map(([number, object], at) => {
      table.writeUInt8(2, number * 7)
      table.writeUInt32BE(stream, number * 7 + 1)
      table.writeUInt16BE(at, number * 7 + 5)
      const offset = `${number} ${content.length}`
      content += `${object}\n`
      return offset
    })
    const head = `${offsets.join(' ')}\n`
    const entries = `/N ${held.length}/First ${head.length}/Length ${head.length + content.length}`
    write(stream, `<</Type/ObjStm${entries}>>stream\n${head}${content}\nendstream`)
  }
  const packable = objects.filter(([, object]) => !object.includes('stream\n'))
  const isPage = ([, object]: [number, string]) => /^<<\/(?:Type\/Page\/|Font<)/.test(object)
  for (const [number, object] of objects) if (object.includes('stream\n')) write(number, object)
  pack(
    size - 2,
    packable.filter((each) => !isPage(each)),
  )
  pack(size - 1, packable.filter(isPage))
  const entries = `/Size ${size}/W[1 4 2]/Root 1 0 R/Length ${table.length}`
  const end = `\nendstream\nendobj\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.concat([
    Buffer.from(`${text}${size} 0 obj\n<</Type/XRef${entries}>>stream\n`, 'latin1'),
    table,
    Buffer.from(end),
  ])
}
