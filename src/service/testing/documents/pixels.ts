import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { loadPdfium, openPdf } from '../../documents/render/pdfium.ts'
import { drawPage, readBoxes } from '../../documents/render/read-pdf.ts'

/** Raw pixels, three bytes each, transparency flattened onto white. */
export interface Pixels {
  width: number
  height: number
  data: Buffer
}

/** Minimum size of a drawn PDF page in pixels: of its shorter side, and of its width. */
const SHORT_SIDE = 150
const WIDTH = 500

/** The pixels of every page of a PDF, or of an image, as a viewer shows them. */
export async function seenPages(content: Buffer): Promise<Pixels[]> {
  return content.subarray(0, 1024).includes('%PDF-') ? drawnPages(content) : [await pixelsOf(content)]
}

async function pixelsOf(image: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

async function drawnPages(content: Buffer): Promise<Pixels[]> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-seen-'))
  try {
    const path = join(folder, 'a.pdf')
    await writeFile(path, content)
    const pdfium = await loadPdfium()
    const pdf = openPdf(pdfium, path)
    const pages: Pixels[] = []
    for (const [index, box] of readBoxes(pdfium, pdf).entries()) {
      const wanted = Math.max(WIDTH, (SHORT_SIDE * box.width) / Math.min(box.width, box.height))
      const { data, width, height } = drawPage(pdfium, pdf, index + 1, wanted)
      pages.push(
        await pixelsOf(
          await sharp(data, { raw: { width, height, channels: 4 } })
            .removeAlpha()
            .png()
            .toBuffer(),
        ),
      )
    }
    pdf.close()
    return pages
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A difference per channel that compression does not cause. */
const NOTICED = 8

/** Lays a grid over two pictures of equal size. @returns the visibly changed fraction of the least changed cell */
export function leastChanged(a: Pixels, b: Pixels, cells: number): number {
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`${a.width}x${a.height} is not ${b.width}x${b.height}`)
  const changed = Array.from({ length: cells * cells }, () => 0)
  const total = Array.from({ length: cells * cells }, () => 0)
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      const cell = Math.floor((y * cells) / a.height) * cells + Math.floor((x * cells) / a.width)
      const at = (y * a.width + x) * 3
      const differs = [0, 1, 2].some((part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)) >= NOTICED)
      total[cell] = (total[cell] ?? 0) + 1
      if (differs) changed[cell] = (changed[cell] ?? 0) + 1
    }
  }
  return Math.min(...changed.map((count, cell) => count / (total[cell] ?? 1)))
}
