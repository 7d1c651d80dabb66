import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { readDocuments } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const PAGES = [{}, { entries: '/Rotate 90' }, { box: [0, 0, 300, 600] as const }]

let service: TestService
let world: World
let room: Room
let folder: number
let id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  room = await createRoom(world)
  folder = await room.folder('Finance')
  id = (await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf(PAGES)))).id
  await room.grant(folder, 'view')
  await readDocuments(service)
})

const query = () => ({ workspace_id: room.workspace_id })

async function imageOf(person: Person, page_number = 1) {
  return (await person.call(api.files.get, { params: { id }, query: { ...query(), page_number } })).viewer_image
}

const urlFor = async (person: Person, page = 1) => (await imageOf(person, page)).expiring_url
const thumbnailFor = async (person: Person) => (await imageOf(person)).expiring_thumbnail_url

/** Fetches only the path of a URL: its origin is the proxy's, and no proxy runs in this test. */
const get = (url: string, init: RequestInit = {}) => fetch(service.url + new URL(url).pathname, init)
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

async function statusOf(url: string): Promise<number> {
  const response = await get(url)
  await response.arrayBuffer()
  return response.status
}

describe('a page image', () => {
  it('D4: is shown inline and not cached', async () => {
    const response = await get(await urlFor(world.bob, 2))
    expect(response.status).toBe(200)
    const image = await bytesOf(response)
    const { format, width, height } = await sharp(image).metadata()
    expect([format, width, height]).toEqual(['jpeg', 1600, 1131])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename=page-2.jpg',
      'content-length': String(image.length),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  it('has a thumbnail', async () => {
    const response = await get(await thumbnailFor(world.bob))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(await bytesOf(response)).metadata()).width).toBe(320)
  })

  it('D5: answers HEAD and ranges like any content', async () => {
    const url = await urlFor(world.bob)
    const whole = await bytesOf(await get(url))
    const head = await get(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(whole.length),
      '',
    ])
    const part = await get(url, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`])
    expect((await bytesOf(part)).equals(whole.subarray(100, 200))).toBe(true)
    expect(await statusOf(url)).toBe(200)
    expect((await get(url, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416)
  })

  it('D4: has an ETag that reveals nothing about the image of another user', async () => {
    const [alice, bob] = [await get(await urlFor(world.alice)), await get(await urlFor(world.bob))]
    expect(alice.headers.get('etag')).toMatch(/^"[0-9a-f]{40}"$/)
    expect(alice.headers.get('etag')).not.toBe(bob.headers.get('etag'))
    const asked = await get(await urlFor(world.bob), { headers: { 'if-none-match': bob.headers.get('etag') ?? '' } })
    expect(asked.status).toBe(200)
  })

  it('beyond the last page has no URL', async () => {
    expect(await imageOf(world.bob, 4)).toEqual({
      status: 'Ready',
      page_number: 4,
      expiring_url: '',
      expiring_thumbnail_url: '',
      reason: '',
      reason_code: null,
      reason_params: {},
    })
  })

  it('that cannot be drawn is refused with a message', async () => {
    const { blob_id } = await service.services.db
      .selectFrom('files')
      .select('blob_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await service.services.db
      .updateTable('documents')
      .set({ page_widths: [1, 1, 1, 1, 1], page_heights: [1, 1, 1, 1, 1] })
      .where('blob_id', '=', blob_id)
      .execute()
    await service.services.db.updateTable('files').set({ pages: 5 }).where('id', '=', id).execute()
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await get(await urlFor(world.bob, 5))
      const message = 'The document is damaged and cannot be read.'
      expect(await response.json()).toMatchObject({
        error: { code: 422, message, reason: 'page_undrawable', params: { problem: message, reason_code: 'damaged' } },
      })
    }
  })
})

describe('C9, D1: the URL of a page image stops working', () => {
  it('after fifteen minutes', async () => {
    const start = new Date()
    service.setClock(start)
    const url = await urlFor(world.bob)
    service.setClock(new Date(start.getTime() + 15 * 60_000))
    expect(await statusOf(url)).toBe(403)
  })

  it('D8: when the right to view is revoked', async () => {
    const urls = [await urlFor(world.bob), await thumbnailFor(world.bob)]
    await room.revoke(folder, 'view')
    expect(await Promise.all(urls.map(statusOf))).toEqual([404, 404])
    await room.grant(folder, 'view')
    expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200])
  })

  it('D8: when the access of the group has ended, or the member leaves', async () => {
    const url = await urlFor(world.bob)
    const params = { id: room.group_id }
    const tomorrow = new Date(Date.now() + 86_400_000)
    const group = { expire_workspace_access_at: tomorrow.toISOString().slice(0, 10) }
    await world.alice.call(api.groups.setAccessExpiry, { params, body: { ...query(), group } })
    expect(await statusOf(url)).toBe(200)
    await service.services.db
      .updateTable('groups')
      .set({ expire_workspace_access_at: '2020-01-01' })
      .where('id', '=', room.group_id)
      .execute()
    expect(await statusOf(url)).toBe(404)
    await world.alice.call(api.groups.removeAccessExpiry, { params, body: query() })
    expect(await statusOf(url)).toBe(200)
    await world.alice.call(api.groups.removeMember, { params, query: { ...query(), user_id: world.bob.id } })
    expect(await statusOf(url)).toBe(404)
  })

  it('D9: when the file is deleted, moved to a folder without the right, or found infected', async () => {
    const url = await urlFor(world.bob)
    const params = { id }
    const move = (destination_folder_id: number) =>
      world.alice.call(api.files.move, { params, body: { ...query(), destination_folder_id } })
    await move(await room.folder('Legal'))
    expect(await statusOf(url)).toBe(404)
    await move(folder)
    expect(await statusOf(url)).toBe(200)
    const setInfected = (infected: boolean | null) =>
      service.services.db
        .updateTable('documents')
        .set({ infected })
        .where('workspace_id', '=', room.workspace_id)
        .execute()
    await setInfected(true)
    expect([await statusOf(url), await statusOf(await urlFor(world.alice))]).toEqual([404, 404])
    await setInfected(null)
    await world.alice.call(api.files.remove, { params, query: query() })
    expect(await statusOf(url)).toBe(404)
  })

  it('D2: when there is a newer version, except for a user who manages files', async () => {
    const [bobs, alices] = [await urlFor(world.bob), await urlFor(world.alice)]
    await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}])))
    expect([await statusOf(bobs), await statusOf(alices)]).toEqual([404, 200])
  })

  it('D8: when any character is changed', async () => {
    const url = await urlFor(world.bob)
    for (const at of [30, 60, url.length - 2]) {
      const changed = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
      expect(await statusOf(changed)).toBe(404)
    }
  })
})

describe('viewing a file is recorded', () => {
  const views = async () => (await room.messages()).filter((message) => message.startsWith('viewed the file'))

  it('when a page is fetched, but not by HEAD or a thumbnail', async () => {
    const url = await urlFor(world.bob)
    await get(url, { method: 'HEAD' })
    await bytesOf(await get(await thumbnailFor(world.bob)))
    expect(await views()).toEqual([])
    await bytesOf(await get(url))
    expect(await views()).toEqual(['viewed the file: plan.pdf'])
  })

  it('once per user, file and ten minutes, even if many pages are fetched at once', async () => {
    // Requests are signed with the real time, so the test's later times must not lie in the future.
    const start = new Date(Date.now() - 10 * 60_000)
    service.setClock(start)
    const fetchAll = async (person: Person) => {
      const urls = await Promise.all([1, 2, 3].map((page) => urlFor(person, page)))
      await Promise.all([...urls, ...urls].map(async (url) => bytesOf(await get(url))))
    }
    await fetchAll(world.bob)
    expect(await views()).toHaveLength(1)
    await fetchAll(world.alice)
    expect(await views()).toHaveLength(2)
    service.setClock(new Date(start.getTime() + 10 * 60_000))
    await fetchAll(world.bob)
    expect(await views()).toHaveLength(3)
  })
})

describe('the pages of a file', () => {
  it('come in parts, and with the sizes of all pages on request', async () => {
    const some = await world.bob.call(api.files.pages, { params: { id }, query: { ...query(), from: 2, count: 5 } })
    expect(some).toMatchObject({ version: 1, status: 'Ready', reason: '', total_pages: 3, widths: [], heights: [] })
    expect(some.pages.map(({ page_number, width, height }) => [page_number, width, height])).toEqual([
      [2, 1600, 1131],
      [3, 1600, 3200],
    ])
    for (const { width, height, expiring_url, expiring_thumbnail_url } of some.pages) {
      const image = await sharp(await bytesOf(await get(expiring_url))).metadata()
      expect([image.width, image.height]).toEqual([width, height])
      expect(await statusOf(expiring_thumbnail_url)).toBe(200)
    }
    const sizes = { ...query(), from: 4, sizes: true }
    expect(await world.bob.call(api.files.pages, { params: { id }, query: sizes })).toMatchObject({
      pages: [],
      widths: [1600, 1600, 1600],
      heights: [2264, 1131, 3200],
    })
  })

  it('D2: of an earlier version are only for users who manage files', async () => {
    await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}])))
    const call = { params: { id }, query: { ...query(), version: 1 } }
    expect(await world.bob.statusOf(api.files.pages, call)).toBe(404)
    const { pages, version } = await world.alice.call(api.files.pages, call)
    expect([version, pages.length]).toEqual([1, 3])
    expect(await statusOf(pages[0]?.expiring_url ?? '')).toBe(200)
  })

  it('are an empty list before the document is ready', async () => {
    const { id: other } = await room.upload(world.alice, folder, 'other.pdf', new Uint8Array(samplePdf([{}])))
    expect(await world.bob.call(api.files.pages, { params: { id: other }, query: query() })).toMatchObject({
      status: 'Pending',
      total_pages: 0,
      pages: [],
    })
  })
})
