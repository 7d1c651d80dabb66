import { rm, readFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openQpdf } from '../../documents/watermark/carry/qpdf.ts'
import { firstObject, samplePdf, type SamplePage } from './sample-pdf.ts'

const DARK = '0.1 0.1 0.3 rg -9 -9 5000 5000 re f 1 g BT /F 14 Tf 60 300 Td (Dark page) Tj ET'
const UNBALANCED = 'q 0.1 0 0 0.1 500 500 cm q q BT /F 14 Tf 60 700 Td (Three levels are left open) Tj ET'
const COVER = '0.9 0.8 0.2 rg 0 0 500 750 re f'

/** Pages that have made marks disappear, here or in other software. */
const ODD_PAGES: readonly SamplePage[] = [
  {},
  { box: [0, 0, 842, 595] },
  { entries: '/Rotate 90' },
  { entries: '/Rotate 180' },
  { entries: '/Rotate 270/CropBox[100 300 500 700]' },
  { entries: '/CropBox[-50 -50 900 900]/TrimBox[0 0 20 20]/ArtBox[5 5 9 9]' },
  { box: [-300, -400, 295, 442] },
  { content: UNBALANCED },
  { content: DARK },
  { box: [0, 0, 20, 20] },
  { box: [0, 0, 10_000, 14_000] },
  { box: [0, 0, 2000, 60], entries: '/UserUnit 2' },
  { entries: '/Rotate 45/UserUnit -3' },
  { entries: '/Rotate -90/UserUnit 0' },
  { entries: '/Rotate 450/UserUnit 1.5' },
  { entries: `/Annots[${firstObject(16)} 0 R]` },
]

/** A PDF of odd pages; an annotation covers the last one. */
export const oddPdf = (): Buffer =>
  samplePdf(ODD_PAGES, {
    objects: [
      `<</Type/Annot/Subtype/Square/Rect[50 50 550 800]/F 4/AP<</N ${firstObject(ODD_PAGES.length) + 1} 0 R>>>>`,
      `<</Type/XObject/Subtype/Form/BBox[0 0 500 750]/Length ${COVER.length}>>stream\n${COVER}\nendstream`,
    ],
  })

/** A PDF without its cross-reference table. */
export const damagedPdf = (): Buffer => {
  const whole = samplePdf([{}, { box: [0, 0, 842, 595] }]).toString('latin1')
  return Buffer.from(whole.replace(/xref[^]*(?=trailer)/, '').replace(/startxref[^]*/, ''), 'latin1')
}

/** An encrypted PDF that opens without a password, or only with one. */
export const encryptedPdf = (userPassword: '' | 'secret'): Promise<Buffer> =>
  rewritten(samplePdf([{}]), ['--encrypt', userPassword, 'owner', '256', '--modify=none', '--'])

async function rewritten(pdf: Buffer, options: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-sample-'))
  try {
    const [source, target] = [join(folder, 'source.pdf'), join(folder, 'target.pdf')]
    await writeFile(source, pdf)
    const qpdf = await openQpdf()
    qpdf.run([qpdf.mount(source), ...options, qpdf.mount(target)])
    return await readFile(target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const picture = (width: number, height: number, background: { r: number; g: number; b: number; alpha: number }) =>
  sharp({ create: { width, height, channels: background.alpha < 1 ? 4 : 3, background } })

export const samplePictures: Record<string, () => Promise<Buffer>> = {
  'white.png': () => picture(900, 700, { r: 255, g: 255, b: 255, alpha: 1 }).png().toBuffer(),
  'transparent.png': () => picture(700, 900, { r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer(),
  'tiny.png': () => picture(48, 48, { r: 200, g: 30, b: 30, alpha: 1 }).png().toBuffer(),
  'dark.jpg': () => picture(1200, 800, { r: 8, g: 10, b: 12, alpha: 1 }).jpeg().toBuffer(),
  'turned.jpg': () =>
    picture(800, 400, { r: 180, g: 200, b: 220, alpha: 1 }).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  'grey.webp': () => picture(800, 600, { r: 128, g: 128, b: 128, alpha: 1 }).webp().toBuffer(),
  'pale.gif': () => picture(600, 600, { r: 240, g: 240, b: 160, alpha: 1 }).gif().toBuffer(),
  'scan.tiff': () => picture(1000, 1400, { r: 250, g: 250, b: 245, alpha: 1 }).tiff().toBuffer(),
}
