import { closeSync, openSync, writeSync } from 'node:fs'
import type { PageSize } from './placement.ts'

export interface RasterPage {
  /** Points. */
  box: PageSize
  /** Pixels. */
  width: number
  height: number
  jpeg: Buffer
}

/** Writes a PDF whose pages are pictures, one after the other: there is never more than one in memory. */
export async function writeRasterPdf(target: string, pages: AsyncIterable<RasterPage>): Promise<void> {
  const file = openSync(target, 'w', 0o600)
  const offsets: number[] = []
  const kids: number[] = []
  let at = 0
  const write = (bytes: Buffer | string): void => {
    const buffer = Buffer.from(bytes)
    writeSync(file, buffer)
    at += buffer.length
  }
  const object = (number: number, ...parts: (Buffer | string)[]): void => {
    offsets[number] = at
    for (const part of [`${number} 0 obj\n`, ...parts, '\nendobj\n']) write(part)
  }
  try {
    write('%PDF-1.7\n')
    object(1, '<</Type/Catalog/Pages 2 0 R>>')
    for await (const { box, width, height, jpeg } of pages) {
      const first = 3 + kids.length * 3
      const content = `${box.width} 0 0 ${box.height} 0 0 cm /I Do`
      const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`
      object(first, `<<${image}/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`, jpeg, '\nendstream')
      object(first + 1, `<</Length ${content.length}>>stream\n${content}\nendstream`)
      const resources = `/Resources<</XObject<</I ${first} 0 R>>>>`
      object(
        first + 2,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${box.width} ${box.height}]${resources}/Contents ${first + 1} 0 R>>`,
      )
      kids.push(first + 2)
    }
    object(2, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`)
    const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const start = at
    write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`)
    write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  } finally {
    closeSync(file)
  }
}
