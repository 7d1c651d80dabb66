import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConverter } from './convert.ts'
import { DocumentFault, openRenderer } from '../render.ts'

let folder: string
const renderer = openRenderer({ size: 1 })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svg-'))
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
async function draw(svg: string) {
  const outDir = await mkdtemp(join(folder, 'out-'))
  await writeFile(join(outDir, 'source'), svg)
  const converter = createConverter({ sandboxing: 'bubblewrap', renderer })
  const { path } = await converter.convert(join(outDir, 'source'), 'image/svg+xml', outDir)
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  const colorAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return [...data.subarray(at, at + 3)]
  }
  return { width: info.width, height: info.height, colorAt }
}

const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

test('a drawing becomes an image on white, sharp at page size', async () => {
  const image = await draw(`${SVG} width="20" height="10"><rect width="10" height="10" fill="red"/></svg>`)
  expect([image.width, image.height]).toEqual([2400, 1200])
  expect([image.colorAt(0.1, 0.5), image.colorAt(0.9, 0.5)]).toEqual([RED, WHITE])
})

test.each([
  ['100mm', '50mm'],
  ['3in', '1.5in'],
  ['8cm', '4cm'],
  ['30pt', '15pt'],
  ['12px', '6px'],
  ['20mm', '10'],
])('a drawing of %s by %s fills the image', async (width, height) => {
  const shape = '<rect width="100%" height="100%" fill="red"/>'
  const image = await draw(`${SVG} width="${width}" height="${height}" viewBox="0 0 100 50">${shape}</svg>`)
  expect(Math.max(image.width, image.height)).toBeGreaterThan(2200)
  expect(image.colorAt(0.5, 0.5)).toEqual(RED)
})

test('a drawing with comments around its document type is recognised', async () => {
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  const comment = `<!-- ${'made by a program '.repeat(200)}-->`
  const body = '<rect width="20" height="10" fill="red"/><!-- a comment inside -->'
  const image = await draw(
    `<?xml version="1.0"?>${comment}${type}${comment}${SVG} width="20" height="10">${body}</svg>`,
  )
  expect(image.colorAt(0.5, 0.5)).toEqual(RED)
})

test('a huge drawing becomes a small image', async () => {
  const image = await draw(
    `${SVG} width="100000" height="100000"><rect width="100000" height="100000" fill="red"/></svg>`,
  )
  expect(image.width).toBeLessThanOrEqual(2400)
  expect(image.colorAt(0.5, 0.5)).toEqual(RED)
})

test('F1: nothing from outside of the drawing is in the image, and no request is made', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const picture = join(folder, 'red.png')
  await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
    .png()
    .toFile(picture)
  const drawing = join(folder, 'red.svg')
  await writeFile(drawing, `${SVG} width="9" height="9"><rect id="r" width="9" height="9" fill="red"/></svg>`)
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/a.png`
  for (const href of [url, picture, `file://${picture}`, '../red.png', 'red.png', drawing]) {
    const body = `<image xlink:href="${href}" width="9" height="9"/><use xlink:href="${href}#r"/><style>@import url("${href}"); rect{fill:url("${href}#r")}</style><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${href}"/></foreignObject>`
    const image = await draw(`${SVG} width="9" height="9">${body}</svg>`)
    expect(image.colorAt(0.5, 0.5)).toEqual(WHITE)
  }
  expect(connections).toBe(0)
  listener.close()
})

test('F1: an external entity does not include a file of the host', async () => {
  const svg = `<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>${SVG} width="9" height="9"><text y="9">&e;</text></svg>`
  const image = await draw(svg).catch((error: unknown) => error)
  if (image instanceof Error) expect(image).toBeInstanceOf(DocumentFault)
  else expect(image).toMatchObject({ width: 2400 })
})

test.each<[string, string]>([
  ['no drawing', 'nothing'],
  ['cut off', `${SVG} width="9" height="9"><rect`],
  ['one that multiplies entities', billionLaughs()],
  ['one that multiplies uses', nestedUses()],
])('E3: %s quickly ends in a reason or an image', async (_, svg) => {
  const image = await draw(svg).catch((error: unknown) => error)
  if (image instanceof Error) expect(image).toBeInstanceOf(DocumentFault)
  else expect(image).toMatchObject({ width: expect.any(Number) })
})

test('K6: a small drawing of many large blurs is given up after seconds of CPU time', async () => {
  const filters = Array.from({ length: 30 }, () => '<feGaussianBlur stdDeviation="300"/>').join('')
  const svg = `${SVG} width="2400" height="2400"><filter id="f">${filters}</filter><rect width="2400" height="2400" filter="url(#f)"/></svg>`
  await expect(draw(svg)).rejects.toMatchObject({ message: expect.stringContaining('too long'), late: true })
  expect(await draw(`${SVG} width="9" height="9"/>`)).toMatchObject({ width: 2400 })
})

function billionLaughs(): string {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
  return `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]>${SVG} width="9" height="9"><text>&e12;</text></svg>`
}

function nestedUses(): string {
  const groups = Array.from(
    { length: 30 },
    (_, at) => `<g id="g${at + 1}">${`<use xlink:href="#g${at}"/>`.repeat(10)}</g>`,
  )
  return `${SVG} width="9" height="9"><defs><rect id="g0" width="1" height="1"/>${groups.join('')}</defs><use xlink:href="#g30"/></svg>`
}

test('a drawing that cannot be read says so, however little time LibreOffice would have', async () => {
  const outDir = await mkdtemp(join(folder, 'out-'))
  await writeFile(join(outDir, 'source'), `${SVG} width="1"`)
  const converter = createConverter({ sandboxing: 'bubblewrap', renderer, cpuSeconds: 0 })
  const drawn = converter.convert(join(outDir, 'source'), 'image/svg+xml', outDir)
  await expect(drawn).rejects.toMatchObject({ late: false })
})
