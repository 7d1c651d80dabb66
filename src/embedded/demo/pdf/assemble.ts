import { Canvas } from './canvas.ts'

/** A picture that pages draw as /Im0. */
export interface Jpeg {
  width: number
  height: number
  content: Uint8Array
}

interface Extras {
  jpeg?: Jpeg | undefined
  /** Objects that define an additional font /F3, the font first; `{n}` stands for the number of the n-th object. */
  font?: string[]
}

const FIRST_FREE = 5

/** Makes a PDF 1.4 of these pages, with Helvetica for text. */
export function assemble(title: string, pages: readonly Canvas[], { jpeg, font = [] }: Extras = {}): Uint8Array {
  const fontAt = FIRST_FREE + 1
  const imageAt = fontAt + font.length
  const pagesAt = imageAt + (jpeg ? 1 : 0)
  const kids = pages.map((_, at) => `${pagesAt + at * 2} 0 R`).join(' ')
  const fonts = `/F1 3 0 R /F2 4 0 R${font.length > 0 ? ` /F3 ${fontAt} 0 R` : ''}`
  const resources = `<< /Font << ${fonts} >>${jpeg ? ` /XObject << /Im0 ${imageAt} 0 R >>` : ''} >>`
  return number([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    helvetica('Helvetica'),
    helvetica('Helvetica-Bold'),
    `<< /Title ${textString(title)} /Producer (Strongroom) >>`,
    ...font.map((object) => object.replaceAll(/\{(\d)\}/g, (_, at) => String(fontAt + Number(at)))),
    ...(jpeg ? [imageObject(jpeg)] : []),
    ...pages.flatMap((page, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources ${resources} /Contents ${pagesAt + at * 2 + 1} 0 R >>`,
      `<< /Length ${page.content.length} >>\nstream\n${page.content}\nendstream`,
    ]),
  ])
}

const helvetica = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

/** A PDF text string in UTF-16, for any script. */
const textString = (text: string) => `<FEFF${hexOf(text)}>`

/** Hex of the text in UTF-16, big-endian. */
export function hexOf(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')
}

function imageObject({ width, height, content }: Jpeg): string {
  const facts = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`
  const bytes = Buffer.from(content).toString('latin1')
  return `<< ${facts} /Filter /DCTDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`
}

/** Numbers the objects and writes the offset of each; object 5 holds the title. */
function number(objects: string[]): Uint8Array {
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${FIRST_FREE} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
