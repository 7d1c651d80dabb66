import sharp, { type Sharp } from 'sharp'
import { bitmapFile } from '../bitmap-file.ts'
import { sample, type Sample } from './sample.ts'

const picture = (background = 'teal') => sharp({ create: { width: 60, height: 40, channels: 3, background } })

/** Three pictures of different colors in one file. */
async function series(): Promise<Sharp> {
  const pages = await Promise.all(['red', 'teal', 'navy'].map((color) => picture(color).png().toBuffer()))
  return sharp(pages, { join: { animated: true } })
}

export async function imageSamples(): Promise<Sample[]> {
  const fax = picture().threshold().toColourspace('b-w')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text y="20">Plover</text></svg>'
  return [
    sample('picture.png', await picture().png().toBuffer(), '', 1),
    sample('palette.png', await picture().png({ palette: true }).toBuffer(), '', 1),
    sample('picture.jpg', await picture().jpeg().toBuffer(), '', 1),
    sample('print.jpg', await picture().toColourspace('cmyk').jpeg().toBuffer(), '', 1),
    sample('gray.jpeg', await picture().grayscale().jpeg({ progressive: true }).toBuffer(), '', 1),
    sample('picture.webp', await picture().webp().toBuffer(), '', 1),
    sample('exact.webp', await picture().webp({ lossless: true }).toBuffer(), '', 1),
    sample('picture.tiff', await picture().tiff().toBuffer(), '', 1),
    sample('fax.tif', await fax.tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer(), '', 1),
    sample('scan.tif', await (await series()).tiff().toBuffer(), '', 3),
    sample('picture.gif', await picture().gif().toBuffer(), '', 1),
    sample('moving.gif', await (await series()).gif().toBuffer(), '', 3),
    sample('moving.webp', await (await series()).webp().toBuffer(), '', 3),
    sample('picture.avif', await picture().avif().toBuffer(), '', 1),
    sample('drawing.svg', svg, 'plover', 1),
    sample(
      'drawing in xml.svg',
      `<?xml version="1.0"?>\n${svg.replace('90', '90mm').replace('40', '40mm')}`,
      'plover',
      1,
    ),
    ...([1, 4, 8, 16, 24, 32] as const).map((bits) => sample(`${bits} bits.bmp`, bitmapFile(bits), '', 1)),
  ]
}
