import sharp from 'sharp'
import type { Marking } from '../../store/downloads/marks.ts'
import { drawMark } from './plan/draw.ts'
import { type PageSize, planMark } from './plan/placement.ts'

export interface PreviewPage {
  orientation: 'portrait' | 'landscape'
  background: 'light' | 'dark'
}

const LONG = 1018
const SHORT = 720

/** Draws the mark on a sample page with text and a picture, planned in the same way as for real pages. */
export async function drawPreview({ looks, reader }: Marking, { orientation, background }: PreviewPage) {
  const [width, height] = orientation === 'portrait' ? [SHORT, LONG] : [LONG, SHORT]
  const mark = await drawMark(planMark(looks, reader, { width, height }), { width, height })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const page = sharp(Buffer.from(samplePage({ width, height }, background)))
  const image = await page
    .composite([{ input: mark }])
    .flatten()
    .jpeg({ quality: 85 })
    .toBuffer()
  return { content_type: 'image/jpeg' as const, image: image.toString('base64'), width, height }
}

const COLOURS = {
  light: { paper: '#ffffff', text: '#c9ced6', heading: '#7c8696', picture: '#2f4a6d' },
  dark: { paper: '#171b22', text: '#414956', heading: '#8b95a5', picture: '#c9d6e6' },
}

/** Draws bars in place of lines of text. */
function samplePage({ width, height }: PageSize, background: PreviewPage['background']): string {
  const { paper, text, heading, picture } = COLOURS[background]
  const bar = (x: number, y: number, long: number, high: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${long}" height="${high}" rx="3" fill="${fill}"/>`
  const [margin, column] = [72, width - 144]
  const lines = Math.floor((height - 190) / 24)
  const pictureFrom = Math.floor(lines / 2) - 4
  const body = Array.from({ length: lines }, (_, line) => {
    if (line >= pictureFrom && line < pictureFrom + 8) return ''
    const long = line % 7 === 6 ? column * 0.45 : column * (0.93 + ((line * 37) % 7) / 100)
    return bar(margin, 150 + line * 24, long, 9, text)
  })
  const drawn = [
    bar(0, 0, width, height, paper),
    bar(margin, 84, column * 0.55, 22, heading),
    ...body,
    bar(margin, 150 + pictureFrom * 24, column, 172, picture),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join('')}</svg>`
}
