import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openRenderer } from '../../../service/documents/render.ts'
import { assemble } from './assemble.ts'
import { Canvas } from './canvas.ts'

const SLANT = -0.7
const PAPER = '#f3f1ec'

/** Turns a PDF into a scan: grey, slightly skewed pictures of its pages, without searchable text. */
export async function scanned(title: string, pdf: Uint8Array): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-demo-'))
  const renderer = openRenderer({ size: 1 })
  try {
    const path = join(folder, 'page.pdf')
    await writeFile(path, pdf)
    const { jpeg } = await renderer.page({ path, type: 'application/pdf' }, 1)
    const { data, info } = await sharp(jpeg)
      .rotate(SLANT, { background: PAPER })
      .resize({ width: 1100 })
      .linear(0.82, 34)
      .blur(0.5)
      .toColourspace('b-w')
      .jpeg({ quality: 45 })
      .toBuffer({ resolveWithObject: true })
    const page = new Canvas(595, Math.round((595 * info.height) / info.width))
    page.raw(`q ${page.width} 0 0 ${page.height} 0 0 cm /Im0 Do Q`)
    return assemble(title, [page], { jpeg: { width: info.width, height: info.height, content: data } })
  } finally {
    await renderer.close()
    await rm(folder, { recursive: true, force: true })
  }
}
