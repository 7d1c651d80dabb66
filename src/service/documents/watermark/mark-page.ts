import type { Marking } from '../../store/downloads/marks.ts'
import sharp from 'sharp'
import { encodeJpeg, encodeThumbnail } from '../encode.ts'
import { blend, type Overlays } from './plan/overlay.ts'

/** Draws the reader's mark on a page image (JPEG) or a thumbnail (WebP), and keeps its format and size. */
export async function markPage(
  image: Buffer,
  size: 'page' | 'thumbnail',
  marking: Marking,
  overlays: Overlays,
): Promise<Buffer> {
  const { data, info } = await sharp(image)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 3) throw new Error(`a page has ${info.channels} channels`)
  blend(data, await overlays.get(marking, info))
  const marked = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
  return (size === 'page' ? encodeJpeg(marked) : encodeThumbnail(marked)).toBuffer()
}
