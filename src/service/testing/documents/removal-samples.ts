import { firstObject, samplePdf, type SamplePage } from './sample-pdf.ts'

const LINE = 'The quick brown fox jumps over the lazy dog, again and again and again.'

/** Lines of text, each positioned separately. */
const lines = (page: number): string =>
  `BT /F 11 Tf ${Array.from({ length: 40 }, (_, line) => `1 0 0 1 50 ${790 - line * 18} Tm (${page}.${line} ${LINE}) Tj`).join('\n')} ET`

/** In LibreOffice style: all inside a clip of the page, one text object per paragraph, backgrounds behind it. */
const clipped = `0.1 w
q 0 0.028 595.275 841.861 re
W* n
q 0.95 0.97 1 rg 40 600 515 200 re f* Q
${Array.from({ length: 30 }, (_, line) => `q 0 0 0 rg\nBT\n50 ${780 - line * 20} Td /F 11 Tf (${line} ${LINE})Tj\nET\nQ`).join('\n')}
Q`

/** Content as a browser prints it: scaled and flipped, with leading instead of positions, and marked content. */
const printed = `.24 0 0 -.24 0 842 cm
q 0 0 2479 3508 re W n
1 1 1 rg 0 0 2479 3508 re f
/P <</MCID 0>> BDC
0 g
BT /F 46 Tf 75 TL 1 0 0 -1 200 200 Tm (${LINE}) Tj
${Array.from({ length: 35 }, (_, line) => `T* (${line} ${LINE}) Tj`).join('\n')}
ET
EMC
Q`

const drawing = Array.from(
  { length: 120 },
  (_, at) => `q ${(at % 7) / 7} ${(at % 5) / 5} 0.6 RG ${20 + at * 4} 40 m ${560 - at * 4} 800 l S Q`,
).join('\n')

const IMAGE = { width: 64, height: 90 }

/** A grey picture as large as the page. */
function scan(): string {
  const rows = Array.from({ length: IMAGE.width * IMAGE.height }, (_, at) => (180 + ((at * 37) % 60)).toString(16))
  return `<</Type/XObject/Subtype/Image/Width ${IMAGE.width}/Height ${IMAGE.height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode/Length ${rows.length * 2 + 1}>>stream\n${rows.join('')}>\nendstream`
}

const form = (content: string): string =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Length ${content.length}>>stream\n${content}\nendstream`

const withXObject = (pages: number): SamplePage => ({
  content: 'q 595 0 0 842 0 0 cm /X Do Q',
  resources: `/XObject<</X ${firstObject(pages)} 0 R>>`,
})

const INLINE =
  'q 300 0 0 300 100 300 cm BI /W 4 /H 4 /BPC 8 /CS /G ID \x10\x40\x80\xc0\x40\x80\xc0\x10\x80\xc0\x10\x40\xc0\x10\x40\x80 EI Q'

/** Common kinds of PDFs, by name, into which a mark is woven. */
export const removalSamples = async (): Promise<Record<string, Buffer>> => ({
  lines: samplePdf([{ content: lines(1) }, { content: lines(2) }, { content: lines(3), entries: '/Rotate 90' }]),
  clipped: samplePdf([{ content: clipped }]),
  printed: samplePdf([{ content: printed }]),
  drawing: samplePdf([{ content: drawing }]),
  scan: samplePdf([withXObject(1)], { objects: [scan()] }),
  form: samplePdf([{ ...withXObject(1), content: '/X Do' }], { objects: [form(lines(1))] }),
  inline: samplePdf([{ content: `${lines(1)} ${INLINE}` }]),
  shared: samplePdf(
    [1, 2].map(() => ({ contents: `[${firstObject(2)} 0 R ${firstObject(2) + 1} 0 R]` })),
    { objects: sharedStreams() },
  ),
})

/** Two streams that together form one content. */
function sharedStreams(): string[] {
  const content = lines(1)
  const middle = content.indexOf('Tm', content.length / 2)
  return [content.slice(0, middle), content.slice(middle)].map(
    (part) => `<</Length ${part.length}>>stream\n${part}\nendstream`,
  )
}
