import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

/** No known type begins with these bytes; random ones are taken for MP3 once in 5,000 runs. */
const content = Buffer.concat([Buffer.alloc(8), randomBytes(499_992)])

let service: TestService
let world: World
let room: Room
let folder: number
let file_id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  room = await createRoom(world)
  folder = await room.folder('Finance')
  file_id = (await room.upload(world.alice, folder, 'data.bin', new Uint8Array(content))).id
  await room.grant(folder, 'download')
})

/** Returns the path of an expiring URL: its origin is the proxy's, and no proxy runs in this test. */
async function pathFor(person: Person, id = file_id): Promise<string> {
  const call = { params: { file_id: id }, query: { workspace_id: room.workspace_id } }
  return new URL((await person.call(api.downloads.getFile, call)).expiring_url).pathname
}

const fetchContent = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { headers, method })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('an expiring URL', () => {
  it('gives the exact bytes to any holder, without a signature', async () => {
    const response = await fetchContent(await pathFor(world.bob))
    expect(response.status).toBe(200)
    expect((await bytesOf(response)).equals(content)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': String(content.length),
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=data.bin',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
    })
  })

  it('gives the same headers to HEAD, without the bytes', async () => {
    const response = await fetchContent(await pathFor(world.bob), {}, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(content.length)])
    expect(await response.text()).toBe('')
  })

  it('of an empty file gives no bytes', async () => {
    const { id } = await room.upload(world.alice, folder, 'empty.txt', '')
    const response = await fetchContent(await pathFor(world.bob, id))
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', ''])
  })

  it.each(['契約書 最終版.pdf', '📁 Übersicht (final).txt', 'a"b;c=d\\e.txt', "it's 100%.txt"])(
    'saves the file under the name %s',
    async (name) => {
      const { id } = await room.upload(world.alice, folder, name)
      const header = (await fetchContent(await pathFor(world.bob, id))).headers.get('content-disposition') ?? ''
      expect(header.startsWith('attachment; filename')).toBe(true)
      const extended = /filename\*=utf-8''([^;]+)/i.exec(header)?.[1]
      const quoted = /filename="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
      expect(extended === undefined ? quoted : decodeURIComponent(extended)).toBe(name)
    },
  )

  it('E4: of an HTML page or an SVG drawing is saved, never displayed', async () => {
    const { id } = await room.upload(world.alice, folder, 'x.svg', '<svg onload="alert(1)"/>')
    const { headers } = await fetchContent(await pathFor(world.bob, id))
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/)
  })

  it('keeps delivering the version it was made for', async () => {
    const path = await pathFor(world.bob)
    await room.upload(world.alice, folder, 'data.bin', 'another')
    expect((await bytesOf(await fetchContent(path))).equals(content)).toBe(true)
    expect(await (await fetchContent(await pathFor(world.bob))).text()).toBe('another')
  })
})

describe('a range', () => {
  const rangeOf = async (range: string, more: Record<string, string> = {}) =>
    fetchContent(await pathFor(world.bob), { range, ...more })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1000-70000', 1000, 70_000],
    ['bytes=499999-', 499_999, 499_999],
    ['bytes=-10', 499_990, 499_999],
    ['bytes=499000-999999999', 499_000, 499_999],
    ['bytes=-999999999', 0, 499_999],
  ])('%s gives exactly these bytes', async (range, start, end) => {
    const response = await rangeOf(range)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/500000`)
    expect(response.headers.get('content-length')).toBe(String(end - start + 1))
    expect((await bytesOf(response)).equals(content.subarray(start, end + 1))).toBe(true)
  })

  it.each(['bytes=500000-', 'bytes=-0', 'bytes=900000-900001'])('%s cannot be satisfied: 416', async (range) => {
    const response = await rangeOf(range)
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe('bytes */500000')
    expect(await response.json()).toMatchObject({ error: { code: 416 } })
  })

  it.each(['bytes=5-4', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,5-6', 'bytes=0x1-2'])(
    '%s is answered with the whole content',
    async (range) => {
      const response = await rangeOf(range)
      expect(response.status).toBe(200)
      expect(await bytesOf(response)).toHaveLength(content.length)
    },
  )

  it('resumes only if the content is the same', async () => {
    const etag = `"${createHash('sha256').update(content).digest('hex')}"`
    const sizeIf = async (condition: string) =>
      (await bytesOf(await rangeOf('bytes=10-19', { 'if-range': condition }))).length
    expect([await sizeIf(etag), await sizeIf('"another"'), await sizeIf(`W/${etag}`)]).toEqual([10, 500_000, 500_000])
  })
})

describe('C9: an expiring URL stops working', () => {
  const statusOf = async (path: string) => {
    const response = await fetchContent(path)
    await response.arrayBuffer()
    return response.status
  }

  it('after fifteen minutes', async () => {
    const start = new Date()
    service.setClock(start)
    const path = await pathFor(world.bob)
    service.setClock(new Date(start.getTime() + 14 * 60_000))
    expect(await statusOf(path)).toBe(200)
    service.setClock(new Date(start.getTime() + 15 * 60_000))
    expect(await statusOf(path)).toBe(403)
  })

  it('when the right is revoked, and works again when it is granted', async () => {
    const path = await pathFor(world.bob)
    await room.revoke(folder, 'download')
    expect(await statusOf(path)).toBe(404)
    await room.grant(folder, 'download')
    expect(await statusOf(path)).toBe(200)
  })

  it('when the group gets DRM or watermarks', async () => {
    const path = await pathFor(world.bob)
    const params = { id: room.group_id }
    const { workspace_id } = room
    await world.alice.call(api.groups.setDrm, { params, body: { workspace_id, group: { drm_enabled: true } } })
    expect(await statusOf(path)).toBe(404)
    await world.alice.call(api.groups.setDrm, { params, body: { workspace_id, group: { drm_enabled: false } } })
    await world.alice.call(api.groups.setWatermarking, {
      params,
      body: { workspace_id, group: { watermarking: true } },
    })
    expect(await statusOf(path)).toBe(404)
  })

  it('K16: when the right is revoked during the transfer', async () => {
    const large = new Uint8Array(randomBytes(64 * 1024 * 1024))
    const { id } = await room.upload(world.alice, folder, 'large.bin', large)
    const [response] = (await once(get(service.url + (await pathFor(world.bob, id))), 'response')) as [IncomingMessage]
    await once(response, 'readable')
    await room.revoke(folder, 'view')
    const later = performance.now() + 10_000
    vi.spyOn(performance, 'now').mockImplementation(() => later)
    const received = (async () => {
      for await (const chunk of response) expect(chunk).toBeDefined()
    })()
    await expect(received).rejects.toThrow('aborted')
    vi.restoreAllMocks()
  })

  it('when the member leaves', async () => {
    const path = await pathFor(world.bob)
    const query = { workspace_id: room.workspace_id, user_id: world.bob.id }
    await world.alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await statusOf(path)).toBe(404)
  })

  it('when the file is deleted, moved to a folder without the right, or found infected', async () => {
    const { workspace_id } = room
    const path = await pathFor(world.bob)
    const params = { id: file_id }
    const target = await room.folder('Legal')
    await world.alice.call(api.files.move, { params, body: { workspace_id, destination_folder_id: target } })
    expect(await statusOf(path)).toBe(404)
    await world.alice.call(api.files.move, { params, body: { workspace_id, destination_folder_id: folder } })
    expect(await statusOf(path)).toBe(200)
    await service.services.db.updateTable('files').set({ infected: true }).where('id', '=', file_id).execute()
    expect(await statusOf(path)).toBe(404)
    await service.services.db.updateTable('files').set({ infected: false }).where('id', '=', file_id).execute()
    await world.alice.call(api.files.remove, { params, query: { workspace_id } })
    expect(await statusOf(path)).toBe(404)
  })

  it('when its version is found infected, even if a clean version followed', async () => {
    const path = await pathFor(world.bob)
    const { db } = service.services
    const { blob_id } = await db
      .selectFrom('files')
      .select('blob_id')
      .where('id', '=', file_id)
      .executeTakeFirstOrThrow()
    await room.upload(world.alice, folder, 'data.bin', 'another')
    await db.updateTable('documents').set({ infected: true }).where('blob_id', '=', blob_id).execute()
    expect([await statusOf(path), await statusOf(await pathFor(world.bob))]).toEqual([404, 200])
  })

  it('when one character is changed', async () => {
    const path = await pathFor(world.bob)
    for (const at of [12, 40, path.length - 2]) {
      const changed = path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1)
      expect(await statusOf(changed)).toBe(404)
    }
    for (const token of ['', 'x', '../../etc/passwd', 'A'.repeat(500)])
      expect(await statusOf(`/content/${token}`)).toBe(404)
  })

  it('when characters are added or removed', async () => {
    const path = await pathFor(world.bob)
    const tampered = [`${path}x`, `${path}=`, `${path}.`, path.slice(0, -1), path.replace('/content/', '/content/-')]
    const statuses = await Promise.all(tampered.map(async (each) => (await fetchContent(each)).status))
    expect(new Set(statuses)).toEqual(new Set([404]))
  })

  it('with the same message for every reason', async () => {
    const path = await pathFor(world.bob)
    await room.revoke(folder, 'view')
    const refusals = await Promise.all([path, '/content/forged'].map((each) => fetchContent(each)))
    const messages = await Promise.all(
      refusals.map(async (each) => ((await each.json()) as { error: { message: string } }).error.message),
    )
    expect(new Set(messages).size).toBe(1)
  })
})
