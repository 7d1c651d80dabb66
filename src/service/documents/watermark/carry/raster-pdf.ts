import type { TextLine } from '../../render/read-lines.ts'
import type { PageSize } from '../plan/placement.ts'
import { openPdfFile } from '../../pdf-file.ts'

export interface RasterPage {
  /** Points. */
  box: PageSize
  /** Pixels. */
  width: number
  height: number
  jpeg: Buffer
  /** Searchable, invisible text. */
  lines: readonly TextLine[]
}

/** A font in which every UTF-16 code unit is half an em wide. It has no outlines, because it draws nothing. */
const FONT = [
  '<</Type/Font/Subtype/Type0/BaseFont/Unseen/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 6 0 R>>',
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/Unseen/CIDToGIDMap/Identity/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 5 0 R/DW 500>>',
  '<</Type/FontDescriptor/FontName/Unseen/Flags 4/FontBBox[0 0 500 1000]/ItalicAngle 0/Ascent 1000/Descent 0/CapHeight 1000/StemV 80>>',
]
const TO_UNICODE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`
const FIRST_PAGE_OBJECT = 7

/** Writes a PDF whose pages are pictures, one after the other; only one of them is in memory at a time. */
export async function writeRasterPdf(target: string, pages: AsyncIterable<RasterPage>): Promise<void> {
  const pdf = openPdfFile(target)
  const kids: number[] = []
  try {
    pdf.object(1, '<</Type/Catalog/Pages 2 0 R>>')
    for (const [index, dictionary] of FONT.entries()) pdf.object(3 + index, dictionary)
    pdf.stream(6, TO_UNICODE)
    for await (const { box, width, height, jpeg, lines } of pages) {
      const first = FIRST_PAGE_OBJECT + kids.length * 3
      const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`
      pdf.object(first, `<<${image}/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`, jpeg, '\nendstream')
      const texts = lines.map((line) => unseen(line, box))
      pdf.stream(first + 1, `q ${box.width} 0 0 ${box.height} 0 0 cm /I Do Q\n${texts.join('\n')}`)
      const resources = `/Resources<</XObject<</I ${first} 0 R>>/Font<</F 3 0 R>>>>`
      pdf.object(
        first + 2,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${box.width} ${box.height}]${resources}/Contents ${first + 1} 0 R>>`,
      )
      kids.push(first + 2)
    }
    pdf.object(2, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`)
    pdf.finish()
  } finally {
    pdf.close()
  }
}

/** Writes a line in the rendering mode that draws nothing, stretched to its place. */
function unseen({ text, left, bottom, width, height }: TextLine, box: PageSize): string {
  const size = height * box.height
  const stretch = (100 * width * box.width) / (size * 0.5 * text.length)
  const codes = Buffer.from(text, 'utf16le').swap16().toString('hex')
  const place = [left * box.width, bottom * box.height].map((value) => value.toFixed(3)).join(' ')
  return `BT 3 Tr /F ${size.toFixed(3)} Tf ${stretch.toFixed(3)} Tz 1 0 0 1 ${place} Tm <${codes}> Tj ET`
}
