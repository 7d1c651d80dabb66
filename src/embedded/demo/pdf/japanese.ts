import { assemble, hexOf } from './assemble.ts'
import { Canvas } from './canvas.ts'

/** A Japanese font that PDF viewers provide; its text is in UTF-16. */
const FONT = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5-UniJIS-UTF16-H /Encoding /UniJIS-UTF16-H /DescendantFonts [{1} 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 5 >> /FontDescriptor {2} 0 R /DW 1000 >>',
  '<< /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [-92 -250 1010 922] /ItalicAngle 0 /Ascent 752 /Descent -221 /CapHeight 737 /StemV 114 >>',
]

const LETTERS_A_LINE = 38

/** A page in Japanese: a title, then paragraphs. */
export function japaneseLetter(title: string, paragraphs: string[]): Uint8Array {
  const page = new Canvas(595, 842)
  write(page, 740, 18, title)
  let y = 690
  for (const paragraph of paragraphs) {
    for (let at = 0; at < paragraph.length; at += LETTERS_A_LINE, y -= 20) {
      write(page, y, 12, paragraph.slice(at, at + LETTERS_A_LINE))
    }
    y -= 12
  }
  return assemble(title, [page], { font: FONT })
}

const write = (page: Canvas, y: number, size: number, text: string) =>
  page.raw(`0.13 0.17 0.2 rg BT /F3 ${size} Tf 64 ${y} Td <${hexOf(text)}> Tj ET`)
