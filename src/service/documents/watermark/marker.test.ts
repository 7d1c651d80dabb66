import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { DEFAULT_LOOK } from '../../../contract/endpoints/looks/default-look.ts'
import { SAMPLE_MARKING, SAMPLE_READER } from '../../testing/documents/sample-reader.ts'
import { markPage } from './mark-page.ts'
import { createMarker } from './marker.ts'
import type { UnmarkedImage } from '../pages/page-images.ts'
import { createOverlays } from './plan/overlay.ts'

const page = await sharp({ create: { width: 1600, height: 2263, channels: 3, background: '#fff' } })
  .jpeg()
  .toBuffer()

const unmarked = (image: Buffer) => image as unknown as UnmarkedImage

const marker = createMarker()
afterAll(() => marker.close())

test('D4: a thread marks an image exactly like the main thread', async () => {
  const marked = await Promise.all([
    marker.mark(unmarked(page), 'page', SAMPLE_MARKING),
    marker.mark(unmarked(page), 'thumbnail', SAMPLE_MARKING),
  ])
  const overlays = createOverlays()
  expect(marked).toEqual([
    await markPage(page, 'page', SAMPLE_MARKING, overlays),
    await markPage(page, 'thumbnail', SAMPLE_MARKING, overlays),
  ])
})

test('K24: a large look on a long page is not drawn in the main thread', async () => {
  const long = await sharp({ create: { width: 1600, height: 6000, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()
  const looks = (['top', 'bottom'] as const).map((vposition) => ({ ...DEFAULT_LOOK, vposition, font_size: 144 }))
  const large = { looks, reader: SAMPLE_READER }
  const cpuOf = async (work: () => Promise<unknown>) => {
    const before = process.threadCpuUsage()
    await work()
    return process.threadCpuUsage(before).user
  }
  const inThread = await cpuOf(() => marker.mark(unmarked(long), 'page', large))
  const here = await cpuOf(() => markPage(long, 'page', large, createOverlays()))
  expect(inThread).toBeLessThan(here / 3)
})

test('K24: only the image that crashes its thread is refused', async () => {
  const died = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ marking, image }) => {
      if (marking.reader.email === 'mallory@example.com') throw new Error('dead')
      parentPort.postMessage({ result: image })
    })`
  const entry = new URL(`data:text/javascript,${encodeURIComponent(died)}`)
  const fragile = createMarker(entry)
  const mark = (email: string) =>
    fragile.mark(unmarked(page), 'page', { looks: [], reader: { ...SAMPLE_READER, email } })
  const people = ['bob', 'mallory', 'alice', 'mallory', 'bob', 'carol'].map((name) => `${name}@example.com`)
  const outcomes = await Promise.allSettled(people.map(mark))
  expect(outcomes.map(({ status }, at) => [people[at], status])).toEqual(
    people.map((email) => [email, email.startsWith('mallory') ? 'rejected' : 'fulfilled']),
  )
  expect(outcomes[1]).toMatchObject({ reason: { status: 503 } })
  await fragile.close()
})
