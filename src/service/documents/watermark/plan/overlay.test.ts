import sharp from 'sharp'
import { expect, test } from 'vitest'
import { DEFAULT_LOOK } from '../../../../contract/endpoints/looks/default-look.ts'
import { SAMPLE_MARKING, SAMPLE_READER } from '../../../testing/documents/sample-reader.ts'
import { drawMark } from './draw.ts'
import { blend, createOverlays } from './overlay.ts'
import { planMark } from './placement.ts'

const size = { width: 700, height: 900 }

test('an overlay looks like the mark drawn into an image', async () => {
  const page = sharp({ create: { ...size, channels: 3, background: '#3a7bd5' } })
  const plain = await page.clone().raw().toBuffer()
  const ours = Buffer.from(plain)
  blend(ours, await createOverlays().get(SAMPLE_MARKING, size))
  const mark = await drawMark(planMark(SAMPLE_MARKING.looks, SAMPLE_READER, size), size)
    .png()
    .toBuffer()
  const theirs = await page
    .composite([{ input: mark }])
    .removeAlpha()
    .raw()
    .toBuffer()
  const change = (a: Buffer, b: Buffer) => a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0)
  expect(change(ours, theirs)).toBeLessThan(change(theirs, plain) / 2)
  expect(change(ours, plain) / change(theirs, plain)).toBeCloseTo(1, 1)
})

test('D4: an overlay is drawn once a minute for each reader, look and size', async () => {
  const overlays = createOverlays()
  const first = overlays.get(SAMPLE_MARKING, size)
  const at = (time: string) => ({ ...SAMPLE_MARKING, reader: { ...SAMPLE_READER, at: new Date(time) } })
  expect(await overlays.get(at('2026-03-03T09:15:59Z'), size)).toBe(await first)
  const others = [
    overlays.get(at('2026-03-03T09:16:00Z'), size),
    overlays.get({ ...SAMPLE_MARKING, reader: { ...SAMPLE_READER, email: 'eve@example.com' } }, size),
    overlays.get({ ...SAMPLE_MARKING, reader: { ...SAMPLE_READER, ip: '203.0.113.10' } }, size),
    overlays.get({ ...SAMPLE_MARKING, looks: [{ ...DEFAULT_LOOK, opacity: 0.4 }] }, size),
    overlays.get(SAMPLE_MARKING, { width: 900, height: 700 }),
  ]
  for (const other of await Promise.all(others)) expect(other).not.toBe(await first)
})
