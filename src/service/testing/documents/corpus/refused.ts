import sharp from 'sharp'
import { bitmapFile } from '../bitmap-file.ts'
import { compound, docx, lockedFiles, odf, paragraph, zipOf } from '../office-files.ts'
import { outlookFile } from '../outlook-file.ts'
import { samplePdf } from '../sample-pdf.ts'
import { sample, type Sample } from './sample.ts'

const refused = (refusal: string, files: Record<string, Buffer | string>): Sample[] =>
  Object.entries(files).map(([name, content]) => ({ ...sample(name, content), refusal }))

/** Files of which there are no pages, each with the reason. */
export async function refusedSamples(): Promise<Sample[]> {
  const noise = await sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer()
  const wide = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  wide.writeUInt32BE(99_999, 16)
  wide.writeUInt32BE(99_999, 20)
  const bitmap = bitmapFile(24)
  bitmap.writeInt32LE(99_999_999, 18)
  const locked = lockedFiles()
  return [
    ...refused('protected by a password', {
      'locked.doc': locked.doc,
      'locked.xls': locked.xls,
      'locked.ppt': locked.ppt,
      'locked.docx': compound('EncryptedPackage'),
      'locked.xlsx': compound('EncryptedPackage'),
      'locked.odt': odf('text', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }),
    }),
    ...refused('more pixels than', { 'wide.png': wide, 'wide.bmp': bitmap }),
    ...refused('damaged', {
      'cut.docx': docx(paragraph('x'.repeat(5000))).subarray(0, 700),
      'empty.xlsx': Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'),
      'no document.docx': zipOf({ 'a.txt': 'x' }),
      'cut.jpg': noise.subarray(0, noise.length / 2),
      'cut.bmp': bitmapFile(24).subarray(0, 60),
      'cut.msg': outlookFile({ subject: 'x', body: 'y'.repeat(9000) }).subarray(0, 3000),
      'nothing.pdf': '%PDF-1.7\n',
    }),
    ...refused('no pages', { 'empty.pdf': samplePdf([]) }),
    ...refused('archive', { 'files.zip': zipOf({ 'a.txt': 'x' }) }),
    ...refused('no preview for this type', { 'bytes.bin': Buffer.from([0, 1, 2, 3, 255]) }),
  ]
}
