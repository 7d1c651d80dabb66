import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstObject, samplePdf } from '../testing/documents/sample-pdf.ts'
import { DocumentFault, openRenderer, type PageImage, type Renderer } from './render.ts'

const PDF = 'application/pdf'

let folder: string
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-render-'))
  renderer = openRenderer({ size: 1, cpuMs: 1500 })
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

let serial = 0
async function source(content: Buffer | string, type = PDF) {
  const path = join(folder, String(++serial))
  await writeFile(path, content)
  return { path, type }
}

const RED_CORNER = '1 0 0 rg 0 0 100 100 re f'

/** Returns the colour of a point, given as fractions of width and height from the top left. */
async function colourAt({ jpeg, width, height }: PageImage, x: number, y: number): Promise<string> {
  const left = Math.min(width - 1, Math.floor(x * width))
  const top = Math.min(height - 1, Math.floor(y * height))
  const [red = 0, green = 0, blue = 0] = await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  if (red > 200 && green > 200 && blue > 200) return 'white'
  return red > 150 && green < 100 && blue < 100 ? 'red' : `${red},${green},${blue}`
}

describe('a PDF', () => {
  it('has a size as shown and a text for each page', async () => {
    const pdf = await source(
      samplePdf([
        {},
        { entries: '/Rotate 90' },
        { entries: '/CropBox[100 100 300 400]' },
        { box: [0, 0, 3, 2] },
        { box: [0, 0, 14_400, 14_400] },
      ]),
    )
    expect(await renderer.boxes(pdf)).toEqual([
      { width: 595, height: 842 },
      { width: 842, height: 595 },
      { width: 200, height: 300 },
      { width: 3, height: 2 },
      { width: 14_400, height: 14_400 },
    ])
    const texts = await renderer.text(pdf, 5)
    expect(texts).toHaveLength(5)
    expect(texts[1]).toBe('The quick brown fox jumps over the lazy dog')
    const limited = await renderer.text(pdf, 5, {}, (texts[0]?.length ?? 0) + 1)
    expect(limited).toEqual([...texts.slice(0, 2), '', '', ''])
  })

  it('is drawn the right way up, with its thumbnail', async () => {
    const pdf = await source(
      samplePdf([
        { content: RED_CORNER },
        { content: RED_CORNER, entries: '/Rotate 90' },
        { content: RED_CORNER, entries: '/CropBox[50 50 250 350]' },
      ]),
    )
    const upright = await renderer.page(pdf, 1)
    expect([upright.width, upright.height]).toEqual([1600, 2264])
    expect([await colourAt(upright, 0.05, 0.97), await colourAt(upright, 0.9, 0.1)]).toEqual(['red', 'white'])
    const turned = await renderer.page(pdf, 2)
    expect([await colourAt(turned, 0.03, 0.05), await colourAt(turned, 0.9, 0.9)]).toEqual(['red', 'white'])
    const cropped = await renderer.page(pdf, 3)
    expect([await colourAt(cropped, 0.1, 0.9), await colourAt(cropped, 0.4, 0.9)]).toEqual(['red', 'white'])
    const { format, width } = await sharp(upright.thumbnail).metadata()
    expect([format, width]).toEqual(['webp', 320])
  })

  it('of any size gives an image within the limits', async () => {
    const boxes = [
      [0, 0, 3, 2],
      [0, 0, 14_400, 14_400],
      [0, 0, 100, 14_400],
      [0, 0, 14_400, 3],
    ] as const
    const pdf = await source(samplePdf(boxes.map((box) => ({ box }))))
    for (let page = 1; page <= boxes.length; page++) {
      const { width, height } = await renderer.page(pdf, page)
      expect(width * height).toBeLessThanOrEqual(40_000_000)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
      expect(Math.max(width, height)).toBeLessThanOrEqual(12_000)
    }
  })

  it.each([
    ['Chinese', 'STSong-Light', 'UniGB-UCS2-H', 'GB1', '你好'],
    ['Chinese of the islands', 'MSung-Light', 'UniCNS-UCS2-H', 'CNS1', '繁體'],
    ['Japanese', 'HeiseiMin-W3', 'UniJIS-UCS2-H', 'Japan1', '日本'],
    ['Korean', 'HYSMyeongJo-Medium', 'UniKS-UCS2-H', 'Korea1', '한글'],
  ])('in %s is not blank if it does not embed its fonts', async (_, name, encoding, ordering, text) => {
    const font = firstObject(1)
    const hex = Buffer.from(text, 'utf16le').swap16().toString('hex')
    const page = {
      content: `BT /G 40 Tf 60 700 Td <${hex}> Tj ET`,
      entries: `/Resources<</Font<</G ${font} 0 R>>>>`,
    }
    const objects = [
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/${encoding}/DescendantFonts[${font + 1} 0 R]>>`,
      `<</Type/Font/Subtype/CIDFontType0/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor ${font + 2} 0 R>>`,
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>`,
    ]
    const pdf = await source(samplePdf([page], { objects }))
    const { jpeg } = await renderer.page(pdf, 1)
    const { channels } = await sharp(jpeg).stats()
    expect(channels[0]?.min).toBeLessThan(50)
    expect(await renderer.text(pdf, 1)).toEqual([text])
  })

  it('may have other bytes before and after it', async () => {
    const pdf = await source(Buffer.concat([Buffer.from('printer job\n'), samplePdf([{}]), Buffer.from('\0\0')]))
    expect(await renderer.boxes(pdf)).toHaveLength(1)
  })
})

describe('F4: a faulty document is reported in a sentence', () => {
  const faultOf = async (content: Buffer | string, type = PDF) => {
    const pdf = await source(content, type)
    try {
      await renderer.boxes(pdf)
      await renderer.page(pdf, 1)
      return 'drawn'
    } catch (error) {
      if (error instanceof DocumentFault) return error.message
      throw error
    }
  }

  it.each([
    ['nothing', ''],
    ['no PDF', 'just words'],
    ['only its head', samplePdf([{}]).subarray(0, 60)],
  ])('if it is %s', async (_, content) => {
    expect(await faultOf(content)).toBe('The document is damaged and cannot be read.')
  })

  it('if it is too large to be read', async () => {
    const pdf = await source(samplePdf([{}]))
    await truncate(pdf.path, 2 ** 31)
    await expect(renderer.boxes(pdf)).rejects.toThrow('A document of more than 2 GB cannot be shown.')
  })

  it('if it has no pages', async () => {
    expect(await faultOf(samplePdf([]))).toBe('The document has no pages.')
  })

  it('E3: if it has a million pages', async () => {
    // One page, a thousand times in a node, which is itself listed a thousand times.
    const kids = (number: number) => `${number} 0 R `.repeat(1000)
    const text = [
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      `2 0 obj<</Type/Pages/Count 1000000/Kids[${kids(3)}]>>endobj`,
      `3 0 obj<</Type/Pages/Parent 2 0 R/Count 1000/Kids[${kids(4)}]>>endobj`,
      '4 0 obj<</Type/Page/Parent 3 0 R/MediaBox[0 0 10 10]>>endobj',
    ].join('\n')
    const fault = await faultOf(`%PDF-1.7\n${text}\ntrailer<</Root 1 0 R>>\n%%EOF`)
    expect(fault).toBe('The document has too many pages.')
  })

  it('F3: if drawing it would never end, and the next document is drawn', async () => {
    // Each form draws the next one ten times, ten levels deep.
    const depth = 10
    const objects = Array.from({ length: depth }, (_, at) => {
      const content = at === depth - 1 ? '0 0 1 1 re f' : '/X Do '.repeat(10)
      const resources = at === depth - 1 ? '' : `/Resources<</XObject<</X ${firstObject(1) + at + 1} 0 R>>>>`
      return `<</Type/XObject/Subtype/Form/BBox[0 0 100 100]${resources}/Length ${content.length}>>stream\n${content}\nendstream`
    })
    const page = { content: '/X Do', entries: `/Resources<</XObject<</X ${firstObject(1)} 0 R>>>>` }
    expect(await faultOf(samplePdf([page], { objects }))).toMatch(/took too long|asks for more/)
    expect(await faultOf(samplePdf([{}]))).toBe('drawn')
  })

  it('E3: if it is a decompression bomb, and the next document is drawn', async () => {
    const packed = deflateSync(Buffer.alloc(300 * 1024 * 1024, 'q Q '))
    const nested = deflateSync(packed)
    const bomb = Buffer.from(
      samplePdf([{ content: '@'.repeat(nested.length) }])
        .toString('latin1')
        .replace('>>stream\n@', '/Filter[/FlateDecode/FlateDecode]>>stream\n@')
        .replace('@'.repeat(nested.length), nested.toString('latin1')),
      'latin1',
    )
    expect(await faultOf(bomb)).toMatch(/took too long|asks for more/)
    expect(await faultOf(samplePdf([{}]))).toBe('drawn')
  })

  it('E3: if it is a broken image, or one that claims too many pixels', async () => {
    const png = await sharp({ create: { width: 100, height: 100, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect(await faultOf(png, 'image/png')).toBe('drawn')
    expect(await faultOf(png.subarray(0, 150), 'image/png')).toBe('The document is damaged and cannot be read.')
    const huge = Buffer.from(png)
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
    expect(await faultOf(huge, 'image/png')).toBe('The image has more pixels than can be shown.')
  })
})

describe('an image', () => {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.0 } } })

  it.each(['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const)('of type %s is one page', async (format) => {
    const image = await source(
      await picture(300, 200).flatten({ background: 'red' }).toFormat(format).toBuffer(),
      `image/${format}`,
    )
    expect(await renderer.boxes(image)).toEqual([{ width: 300, height: 200 }])
    const page = await renderer.page(image, 1)
    expect([page.width, page.height, await colourAt(page, 0.5, 0.5)]).toEqual([300, 200, 'red'])
  })

  it('that is transparent is shown on white, and a rotated photo is shown upright', async () => {
    const clear = await source(await picture(40, 40).png().toBuffer(), 'image/png')
    expect(await colourAt(await renderer.page(clear, 1), 0.5, 0.5)).toBe('white')
    const turned = await source(
      await picture(300, 200).flatten().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'image/jpeg',
    )
    expect(await renderer.boxes(turned)).toEqual([{ width: 200, height: 300 }])
    const { width, height } = await renderer.page(turned, 1)
    expect([width, height]).toEqual([200, 300])
  })

  it('of several pages, such as a fax or a scan, has all of them', async () => {
    const tiff = await sharp({
      create: { width: 60, height: 40 * 3, pageHeight: 40, channels: 3, background: 'red' },
    })
      .tiff()
      .toBuffer()
    const scan = await source(tiff, 'image/tiff')
    expect(await renderer.boxes(scan)).toEqual(Array.from({ length: 3 }, () => ({ width: 60, height: 40 })))
    const { width, height } = await renderer.page(scan, 3)
    expect([width, height]).toEqual([60, 40])
    await expect(renderer.page(scan, 4)).rejects.toThrow(DocumentFault)
  })

  it.each(['gif', 'webp'] as const)('that moves, of type %s, has a page for each frame', async (format) => {
    const frames = await Promise.all(
      ['red', 'white'].map((background) =>
        sharp({ create: { width: 60, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const image = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    const moving = await source(image, `image/${format}`)
    expect(await renderer.boxes(moving)).toEqual([
      { width: 60, height: 40 },
      { width: 60, height: 40 },
    ])
    expect(await colourAt(await renderer.page(moving, 1), 0.5, 0.5)).toBe('red')
    expect(await colourAt(await renderer.page(moving, 2), 0.5, 0.5)).toBe('white')
  })

  it('that is large is shrunk', async () => {
    const large = await source(await picture(6000, 3000).flatten().jpeg().toBuffer(), 'image/jpeg')
    expect(await renderer.boxes(large)).toEqual([{ width: 6000, height: 3000 }])
    const { width, height } = await renderer.page(large, 1)
    expect([width, height]).toEqual([1600, 800])
  })
})
