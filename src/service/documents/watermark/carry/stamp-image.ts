import type { TypeWith } from '../../formats.ts'
import type { Marking } from '../../../store/downloads/marks.ts'
import sharp, { type Sharp } from 'sharp'
import { RenderFault } from '../../render/faults.ts'
import { MAX_INPUT_PIXELS } from '../../render/limits.ts'
import { drawMark } from '../plan/draw.ts'
import { enlargedFor } from '../plan/overlay.ts'
import { type PageSize, planMark } from '../plan/placement.ts'

/** Writers of the image formats that a stamped copy keeps. */
const WRITERS: Record<TypeWith<'image'>, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 90 }),
  'image/gif': (image) => image.gif(),
  'image/tiff': (image) => image.tiff({ compression: 'lzw' }),
  'image/avif': (image) => image.avif({ quality: 70, effort: 2 }),
}
/** A mark on a huge picture is drawn smaller and enlarged, which is not visible and takes a fraction of the time. */
const MAX_DRAWN_PIXELS = 6_000_000
const MAX_DRAWN_SIDE = 16_000

export const isStampableImage = (type: string): type is TypeWith<'image'> => type in WRITERS

/** Stamps an image. Drops metadata, which may contain a small unmarked copy. */
export async function stampImage(source: string, target: string, type: string, marking: Marking): Promise<void> {
  if (!isStampableImage(type)) throw new Error(`images of type ${type} are not written`)
  const write = WRITERS[type]
  try {
    const image = sharp(source, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'truncated' })
    const { data, info } = await image
      .autoOrient()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    if (channels !== 3 && channels !== 4) throw new Error(`an image has ${channels} channels`)
    await layOver(data, { width, height }, channels, marking)
    await write(sharp(data, { raw: { width, height, channels } })).toFile(target)
  } catch (error) {
    throw new RenderFault(error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'damaged')
  }
}

async function layOver(pixels: Buffer, size: PageSize, channels: 3 | 4, { looks, reader }: Marking): Promise<void> {
  const mark = planMark(looks, reader, size, enlargedFor(size))
  const { data, info } = await drawMark(mark, drawnSize(size)).raw().toBuffer({ resolveWithObject: true })
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor((y * info.height) / size.height) * info.width
    for (let x = 0; x < size.width; x++) {
      const from = (row + Math.floor((x * info.width) / size.width)) * 4
      const alpha = data[from + 3] ?? 0
      if (alpha > 0) layPixelOver(pixels, (y * size.width + x) * channels, channels, data, from, alpha / 255)
    }
  }
}

/** Blends as Porter and Duff's "over": on a transparent page, only the mark is visible. */
function layPixelOver(pixels: Buffer, at: number, channels: 3 | 4, mark: Buffer, from: number, alpha: number): void {
  const below = channels === 4 ? (pixels[at + 3] ?? 0) / 255 : 1
  const shown = alpha + below * (1 - alpha)
  for (let part = 0; part < 3; part++) {
    const own = (pixels[at + part] ?? 0) * below * (1 - alpha)
    pixels[at + part] = Math.round(((mark[from + part] ?? 0) * alpha + own) / shown)
  }
  if (channels === 4) pixels[at + 3] = Math.round(shown * 255)
}

function drawnSize({ width, height }: PageSize): PageSize {
  const scale = Math.min(1, Math.sqrt(MAX_DRAWN_PIXELS / (width * height)), MAX_DRAWN_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
