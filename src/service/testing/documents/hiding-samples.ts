import { firstObject, samplePdf } from './sample-pdf.ts'

const LINE = 'The quick brown fox jumps over the lazy dog, again and again.'
const lines = `BT /F 11 Tf ${Array.from({ length: 40 }, (_, l) => `1 0 0 1 50 ${790 - l * 18} Tm (${l} ${LINE}) Tj`).join('\n')} ET`
const f = firstObject(1)
const WHITE = '1 1 1 rg 0 0 595 842 re f'
const stream = (d: string, c: string) => `<<${d}/Length ${c.length}>>stream\n${c}\nendstream`
/** Pages that would hide a mark drawn over or into them, each in a different way. */
export const hidingSamples: Readonly<Record<string, Buffer>> = {
  'a clip path left open': samplePdf([{ content: `${lines} 0 0 10 10 re W n` }]),
  'a clip path from the beginning': samplePdf([{ content: `0 0 10 10 re W n ${lines}` }]),
  'states restored too often': samplePdf([{ content: `Q Q Q ${lines} Q Q Q 0 0 5 5 re W n Q` }]),
  'states left open': samplePdf([{ content: `q q q 0 0 5 5 re W n ${lines}` }]),
  'a white stream at the end': samplePdf([{ contents: `[${f} 0 R ${f + 1} 0 R]` }], {
    objects: [stream('', lines), stream('', WHITE)],
  }),
  'white between the lines': samplePdf([{ content: `${lines} ${WHITE} ${lines} ${WHITE}` }]),
  'thousands of small white fills': samplePdf([
    {
      content: `${lines} 1 g ${Array.from({ length: 5000 }, (_, i) => `${(i % 60) * 10} ${Math.floor(i / 60) * 10} 10 10 re f`).join('\n')}`,
    },
  ]),
  'white strokes side by side': samplePdf([
    {
      content: `${lines} 1 G 11 w ${Array.from({ length: 90 }, (_, i) => `0 ${i * 10} m 600 ${i * 10} l S`).join('\n')}`,
    },
  ]),
  'a wide stroke by graphics state': samplePdf([
    { content: `${lines} 1 G /W gs 0 400 m 600 400 l S`, resources: '/ExtGState<</W<</LW 2000>>>>' },
  ]),
  'huge letters': samplePdf([{ content: `${lines} 1 g BT /F 3000 Tf 0 0 Td (MMMM) Tj ET` }]),
  'stretched letters': samplePdf([
    {
      content: `${lines} 1 g BT /F 60 Tf 2000 Tz ${Array.from({ length: 30 }, (_, i) => `1 0 0 1 -300 ${i * 30} Tm (MMMMM) Tj`).join(' ')} ET`,
    },
  ]),
  'an opacity of 0': samplePdf([
    { content: `/Z gs ${lines}`, resources: '/ExtGState<</Z<</ca 0/CA 0/BM/Multiply>>>>' },
  ]),
  'a soft mask': samplePdf(
    [{ content: `/Z gs ${lines}`, resources: `/ExtGState<</Z<</SMask<</S/Alpha/G ${f} 0 R>>>>>>` }],
    { objects: [stream('/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Group<</S/Transparency>>', '')] },
  ),
  'text that clips': samplePdf([{ content: `BT /F 10 Tf 7 Tr 5 5 Td (x) Tj ET ${lines}` }]),
  'text that is not drawn': samplePdf([{ content: `${lines} 3 Tr` }]),
  'an inline image without an end': samplePdf([{ content: `${lines} BI /W 9999 /H 9999 /BPC 8 /CS /G ID abc` }]),
  'an inline image with another end': samplePdf([
    { content: `q BI /W 100 /H 1 /BPC 8 /CS /G ID ${'x'.repeat(20)} EI q q q ${'x'.repeat(60)} EI Q ${lines}` },
  ]),
  'a string without an end': samplePdf([{ content: `${lines} (abc` }]),
  'a hexadecimal string without an end': samplePdf([{ content: `${lines} <41` }]),
  'an array without an end': samplePdf([{ content: `${lines} [ 1 2` }]),
  'a comment at the end': samplePdf([{ content: `${lines} %` }]),
  'comments between carriage returns': samplePdf([{ content: `${lines}\r%x\rq` }]),
  'a compatibility section': samplePdf([{ content: `${lines} BX` }]),
  'a path without an end': samplePdf([{ content: `${lines} 0 0 m 1 1 l W` }]),
  'a text object without an end': samplePdf([{ content: lines.replace(/ET$/, '') }]),
  'optional content that is off': samplePdf(
    [{ content: `/OC /H BDC ${lines}`, resources: `/Properties<</H ${f} 0 R>>` }],
    { catalog: `/OCProperties<</OCGs[${f} 0 R]/D<</OFF[${f} 0 R]/Order[]>>>>`, objects: ['<</Type/OCG/Name(h)>>'] },
  ),
  'optional content by another spelling': samplePdf(
    [{ content: `/#4f#43 /H BDC ${lines}`, resources: `/Properties<</H ${f} 0 R>>` }],
    { catalog: `/OCProperties<</OCGs[${f} 0 R]/D<</OFF[${f} 0 R]/Order[]>>>>`, objects: ['<</Type/OCG/Name(h)>>'] },
  ),
  'colours redefined as white': samplePdf(
    [{ content: lines, resources: `/ColorSpace<</DefaultRGB[/DeviceN[/None/None/None]/DeviceRGB ${f} 0 R]>>` }],
    { objects: ['<</FunctionType 2/Domain[0 1]/N 1/C0[1 1 1]/C1[1 1 1]>>'] },
  ),
  'another unit': samplePdf([{ content: lines, entries: '/UserUnit 10' }]),
  'a crop box beyond the page': samplePdf([{ content: lines, entries: '/CropBox[-500 -500 50 50]' }]),
  'changes of scale': samplePdf([{ content: `0.001 0 0 0.001 0 0 cm 1000 0 0 1000 0 0 cm ${lines}` }]),
  'a matrix that flattens': samplePdf([{ content: `q 0 0 0 0 0 0 cm Q ${lines} 0 0 0 0 0 0 cm` }]),
  'numbers beyond measure': samplePdf([{ content: `${lines} 99999999999999999999999999 0 0 1 0 0 cm 0 0 1 1 re f` }]),
  'a page upside down': samplePdf([{ content: `1 0 0 -1 0 842 cm ${lines}` }]),
  'a link that is drawn': samplePdf([{ content: lines, entries: `/Annots[${f} 0 R]` }], {
    objects: [
      `<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/AP<</N ${f + 1} 0 R>>>>`,
      stream('/Type/XObject/Subtype/Form/BBox[0 0 595 842]', WHITE),
    ],
  }),
  'a link with a broad border': samplePdf([{ content: lines, entries: `/Annots[${f} 0 R]` }], {
    objects: ['<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/Border[0 0 2000]/C[1 1 1]>>'],
  }),
  'a knockout group': samplePdf([{ content: lines, entries: '/Group<</S/Transparency/K true/I true/CS/DeviceRGB>>' }]),
  'marked content': samplePdf([{ content: `/Artifact <</Type/Pagination>> BDC ${lines} EMC` }]),
  'a drawing': samplePdf([{ content: '0 0 1 rg 100 100 50 50 re f' }]),
  'hundreds of levels': samplePdf([{ content: 'q '.repeat(900) + lines }]),
  'names like those of a mark': samplePdf([
    { content: `/GS0 gs /Q7#20x gs ${lines}`, resources: '/ExtGState<</GS0<</ca 1>>/GS1<</ca 1>>/GS2<</ca 1>>>>' },
  ]),
  'the same page twice': Buffer.from(
    samplePdf([{ content: lines }])
      .toString('latin1')
      .replace('/Count 1/Kids[10 0 R]', '/Count 2/Kids[10 0 R 10 0 R]'),
    'latin1',
  ),
}
