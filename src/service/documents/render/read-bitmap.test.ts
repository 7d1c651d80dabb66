import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bitmapFile, COLORS } from '../../testing/documents/bitmap-file.ts'
import { drawBitmap } from './read-bitmap.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bitmap-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function pixelsOf(content: Buffer): Promise<number[][]> {
  const [source, target] = [join(folder, 'source'), join(folder, 'page.png')]
  await writeFile(source, content)
  await drawBitmap({ source, target })
  const pixels = [...(await sharp(target).removeAlpha().raw().toBuffer())]
  return Array.from({ length: pixels.length / 3 }, (_, at) => pixels.slice(at * 3, at * 3 + 3))
}

const [RED, GREEN, BLUE, WHITE] = COLORS
/** Makes the header another one: the place, and a number of four bytes. */
function changed(content: Buffer, at: number, value: number): Buffer {
  content.writeInt32LE(value, at)
  return content
}

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><rect width="2" height="2"/></svg>'

test.each([4, 8, 16, 24, 32] as const)('pixels of %i bits are read, from below or from above', async (bits) => {
  expect(await pixelsOf(bitmapFile(bits))).toEqual(COLORS)
  expect(await pixelsOf(bitmapFile(bits, { isTopDown: true }))).toEqual(COLORS)
})

test('pixels of one bit are read, runs are unpacked, and what they leave out is white', async () => {
  expect(await pixelsOf(bitmapFile(1))).toEqual([GREEN, RED, RED, GREEN])
  expect(await pixelsOf(bitmapFile(8, { runs: '0102010300000100010101000001' }))).toEqual(COLORS)
  expect(await pixelsOf(bitmapFile(8, { runs: '0002010001020001' }))).toEqual([WHITE, WHITE, WHITE, BLUE])
  expect(await pixelsOf(bitmapFile(4, { runs: '022300000003010000000001' }))).toEqual([RED, GREEN, BLUE, WHITE])
})

test('a picture within a bitmap is read', async () => {
  const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const bitmap = bitmapFile(24, { runs: png.toString('hex') })
  expect(await pixelsOf(changed(bitmap, 30, 5))).toEqual([RED, RED, RED, RED])
})

test('F6: a bitmap that is cut off, empty, of no known depth or too large is refused with its reason', async () => {
  for (const content of [
    bitmapFile(24).subarray(0, 60),
    bitmapFile(24).subarray(0, 20),
    changed(bitmapFile(24), 18, 0),
    changed(bitmapFile(24), 28, 7),
    changed(bitmapFile(24), 14, 20),
    changed(bitmapFile(24), 30, 4),
    changed(bitmapFile(24, { runs: Buffer.from(DRAWING).toString('hex') }), 30, 5),
  ])
    await expect(pixelsOf(content)).rejects.toThrow('damaged')
  await expect(pixelsOf(changed(bitmapFile(24), 18, 100_000_000))).rejects.toThrow('more pixels')
  expect(await pixelsOf(bitmapFile(8, { runs: 'ffff00ff' }))).toHaveLength(4)
})

test('K6: a file that is longer than its pixels can be is refused before it is read', async () => {
  const source = join(folder, 'long')
  await writeFile(source, bitmapFile(24))
  await truncate(source, 3 * 1024 ** 3)
  await expect(drawBitmap({ source, target: join(folder, 'none.png') })).rejects.toThrow('more pixels')
})
