import type { Marking } from '../../store/downloads/marks.ts'
import sharp from 'sharp'
import { encodeJpeg, encodeSealed, encodeThumbnail } from '../encode.ts'
import { blend, type Overlays } from './plan/overlay.ts'

const ENCODERS = { page: encodeJpeg, sealed: encodeSealed, thumbnail: encodeThumbnail }

/** Draws the reader's mark on a page image or a thumbnail, and keeps its size. */
export async function markPage(
  image: Buffer,
  use: keyof typeof ENCODERS,
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
  return ENCODERS[use](marked).toBuffer()
}
