import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { firstObject, samplePdf, type SamplePage } from './sample-pdf.ts'

/** The last text that each page draws itself. */
export const LAST_WORDS = 'The last words'

const text = (lines = 12): string =>
  Array.from(
    { length: lines },
    (_, line) => `BT 0 g /F 11 Tf 1 0 0 1 60 ${780 - line * 55} Tm (Line ${line} of what the page says) Tj ET`,
  ).join('\n')
const END = `\nBT 0 g /F 11 Tf 1 0 0 1 60 60 Tm (${LAST_WORDS}) Tj ET`
const between = (odd: string): string => `${text(6)}\n${odd}\n${text(12)}${END}`

const GREYS = Buffer.from(Array.from({ length: 64 }, (_, at) => (at * 37) % 251))
const JPEG = (
  await sharp(GREYS, { raw: { width: 8, height: 8, channels: 1 } })
    .jpeg()
    .toBuffer()
).toString('latin1')
const inline = (entries: string, data: string): string =>
  `q 90 0 0 90 400 400 cm BI /W 8 /H 8 /BPC 8 /CS /G ${entries} ID ${data}\nEI Q`
const raw = GREYS.toString('latin1')
const ascii85 = (bytes: Buffer): string => {
  let written = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let word = bytes.readUInt32BE(at)
    const digits: string[] = []
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift(String.fromCharCode(33 + (word % 85)))
      word = Math.floor(word / 85)
    }
    written += word === 0 && digits.every((digit) => digit === '!') ? 'z' : digits.join('')
  }
  return `${written}~>`
}

/** Pads the bytes to whole ASCII85 words. */
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

/** Odd content into which the mark can still be woven, by its oddity. */
const WOVEN: Record<string, string> = {
  'an inline image': between(inline('', raw)),
  'an inline image that holds operators': between(inline('', `Q Q ET (unclosed [ <<${raw.slice(21)}`)),
  'an inline image with full names': between(
    `q 90 0 0 90 400 400 cm BI /Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceGray ID\r\n${raw}\r\nEI Q`,
  ),
  'an inline image of indexed colours': between(
    `q 90 0 0 90 400 400 cm BI /W 8 /H 8 /BPC 8 /CS [/I /RGB 1 (\\)\x01EI ID)] ID ${'\x00\x01'.repeat(32)} EI Q`,
  ),
  'an inline mask': between(
    'q 0 g 90 0 0 90 400 400 cm BI /W 8 /H 8 /IM true /D [1 0] ID \x81\x42\x24\x18\x18\x24\x42\x81 EI Q',
  ),
  'a deflated inline image': between(inline('/F /Fl', deflateSync(GREYS).toString('latin1'))),
  'a deflated inline image in ASCII': between(inline('/F [/A85 /Fl]', ascii85(padded(deflateSync(GREYS))))),
  'a hexadecimal inline image': between(inline('/F /AHx', `${GREYS.toString('hex')}>`)),
  'a run-length inline image': between(inline('/F /RL', `\x3f${raw}\x80`)),
  'a JPEG as inline image': between(inline('/F /DCT', JPEG)),
  'malformed numbers': between('1..2 0 0 1 --3.5 0-0 cm 5-3 w 300 4.0.0 m 3-00 200 l S 0.-5 0 0 RG 1 0 0 1 +-3.5 - cm'),
  'unknown operators': between('12 /Name (text) unknown BX 1 2 3 xyz EX (a) quux ETQ'),
  'operators Q without q': between('Q Q 1 Q q Q Q'),
  'operators q without Q': between('q q q 1 0 0 1 0 0 cm q'),
  'hundreds of levels of q': between(`${'q '.repeat(300)}${'Q '.repeat(300)}`),
  'a text object in tiny steps': between(`BT /F 9 Tf 0 g 60 30 Td ${'1 0 Td (a) Tj '.repeat(300)}ET`),
}

/** Graphics states that hide what is drawn in them, unless the drawing resets everything. */
const HIDING: Record<string, string> = {
  'no dash that is ever on': between('[0.001 100000] 0 d 0 J'),
  'a line width of nothing': between('0 w 10 M 2 J 2 j 100 i'),
  'transparency of everything': between('/Clear gs'),
  'an empty soft mask': between('/Masked gs'),
  'a blend mode that only darkens white': between('/Blended gs'),
  'transfer functions to white': between('/White gs'),
  overprint: between('/Over gs'),
  'invisible text': between('BT 3 Tr 0 Tz 5000 Ts 900 Tc 900 Tw 900 TL ET'),
  'text as clip path': between('q BT 7 Tr /F 3 Tf 1 0 0 1 5 5 Tm (x) Tj ET').replace(END, `\nQ${END}`),
  'a clip of nothing': between('q 0 0 0 0 re W n').replace(END, `\nQ${END}`),
  'a clip with a hole in it': between('q 0 0 595 842 re 50 50 400 700 re W* n').replace(END, `\nQ${END}`),
  'a scale that floats cannot hold': between(
    `q 0.000000001 w ${'0.00001 0 0 0.00001 0 0 cm '.repeat(10)}${'100000 0 0 100000 0 0 cm '.repeat(10)}`,
  ).replace(END, `\nQ${END}`),
  'an offset that floats cannot hold': between('q 1 0 0 1 123456789 0 cm 1 0 0 1 -123456789 0 cm').replace(
    END,
    `\nQ${END}`,
  ),
  'white patterns as colours': between('/Pattern cs /Pattern CS /None scn /None SCN'),
  'hidden optional content': between('/OC /Hidden BDC').replace(END, `\nEMC${END}`),
  'hidden optional content by another spelling': between('/#4fC /Hidden BDC').replace(END, `\nEMC${END}`),
}

/** Content that is delivered as a picture. */
const PICTURED: Record<string, string> = {
  'an inline image of unknown length': between(inline('/F /CCF', '\x00\x10\x01EI\x00\x10')),
  'an inline image with two ends': between(inline('', `${raw.slice(0, 20)} EI Q q ${raw.slice(28)}`)),
  'an inline image that lies about its size': between(inline('/L 9', raw.slice(9))),
  'a string without an end': `${text(6)}\n(${text(6)}`,
  'a clip beyond the numbers of readers': between('q 0 0 4294967297 4294967297 re W n').replace(END, `\nQ${END}`),
  'a stray bracket': between(') ]'),
  'a number that is a word': between('1 0 0 1 1e2 0 cm'),
  'operators of glyphs': between('100 0 0 0 500 500 d1'),
  'a state saved within text': between('BT q Q ET'),
}

const form = (content: string, more = ''): string =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>${more}/Length ${content.length}>>stream\n${content}\nendstream`
const stream = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`

export interface OddPage {
  name: string
  page: SamplePage
  delivered: 'woven' | 'picture' | 'empty'
}

const contents = (pages: Record<string, string>, delivered: OddPage['delivered'], resources = ''): OddPage[] =>
  Object.entries(pages).map(([name, content]) => ({ name, page: { content, resources }, delivered }))

/** All odd pages in one document. */
export function oddContent(): { pages: OddPage[]; pdf: Buffer } {
  const count = pagesWith(0).length
  const first = firstObject(count)
  const pages = pagesWith(first)
  return {
    pages,
    pdf: samplePdf(
      pages.map(({ page }) => page),
      { objects: objects((index) => `${first + index} 0 R`) },
    ),
  }
}

const WHOLE = between('')
const MIDDLE = WHOLE.indexOf(' Tm')
const TO_WHITE = '<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[1]>>'
const objects = (at: (index: number) => string): string[] => [
  form(WHOLE),
  form(WHOLE, '/Matrix[0.5 0 0 0.5 100 100]/Group<</S/Transparency/I true>>'),
  form(`${WHOLE} Q Q`),
  form('q 1 0 0 RG 20 20 m 500 20 l S Q'),
  form('0.9 g 0 0 595 842 re f 0 g BT /F 20 Tf 100 500 Td (On top) Tj ET'),
  stream(WHOLE.slice(0, MIDDLE)),
  stream(WHOLE.slice(MIDDLE)),
  stream('', '/Type/XObject/Subtype/Form/BBox[0 0 0 0]/Group<</S/Transparency/CS/DeviceGray>>'),
  stream(
    '1 1 1 rg 0 0 9 9 re f',
    '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>',
  ),
  `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a ${at(10)}>>/Resources<<>>>>`,
  stream('1 0 d0 1 g 0 0 1 1 re f'),
  stream('{pop pop pop 1}', '/FunctionType 4/Domain[0 1 0 1 0 1]/Range[0 1]'),
]

function pagesWith(first: number): OddPage[] {
  const at = (index: number): string => `${first + index} 0 R`
  const page = (name: string, page: SamplePage, delivered: OddPage['delivered'] = 'woven'): OddPage => ({
    name,
    page,
    delivered,
  })
  const xobject = (index: number, content: string): SamplePage => ({
    content,
    resources: `/XObject<</X ${at(index)}>>`,
  })
  const resources = `/ExtGState<</Clear<</ca 0/CA 0/LW 0/D[[0 100000] 0]>>/Masked<</SMask<</S/Luminosity/G ${at(7)}>>>>/Blended<</BM/Lighten>>/White<</TR ${TO_WHITE}/TR2 ${TO_WHITE}>>/Over<</OP true/op true/OPM 1>>>>/Pattern<</None ${at(8)}>>/Properties<</Hidden<</Type/OCG/Name(x)>>>>`
  const white = `/ColorSpace<</DefaultRGB[/DeviceN[/Cyan/Magenta/Yellow]/DeviceGray ${at(11)}]>>`
  return [
    ...contents(WOVEN, 'woven'),
    ...contents(HIDING, 'woven', resources),
    ...contents(PICTURED, 'picture'),
    page('a page of one form', xobject(0, 'q /X Do Q')),
    page('a page of one form, placed and a group', xobject(1, '/Artifact BMC q 2 0 0 2 -200 -200 cm /X Do Q EMC')),
    page('a page of one form that is not balanced', xobject(2, '/X Do'), 'picture'),
    page('a transparent form over all of it', xobject(3, `${WHOLE} /X Do`)),
    page('an opaque form over all of it', xobject(4, `${WHOLE} /X Do`), 'picture'),
    page('content in two streams that divide an operation', { contents: `[${at(5)} ${at(6)}]` }),
    page('one stream of two pages', { contents: `[${at(5)} ${at(6)}]` }),
    page('a redefined colour space', { content: between(''), resources: white }),
    page('glyphs as large as the page', {
      content: `${between('')} BT /T 900 Tf 0 0 Td (a) Tj ET ${text()}${END}`,
      fonts: `/T ${at(9)}`,
    }),
    page('nothing on it', { content: '' }, 'empty'),
    page('no content', { contents: 'null' }, 'empty'),
  ]
}
