import { firstObject, samplePdf } from './sample-pdf.ts'

/** A page covered by a pattern with so many repetitions that drawing it never ends in practice. */
export function endlessPdf(): Buffer {
  const content = '/Pattern cs /P scn 0 0 595 842 re f'
  const entries = `/Resources<</Pattern<</P ${firstObject(1)} 0 R>>>>`
  const tile = '0 0 1 1 re f'
  const pattern = `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>/Length ${tile.length}>>`
  return samplePdf([{ content, entries }], { objects: [`${pattern}stream\n${tile}\nendstream`] })
}
