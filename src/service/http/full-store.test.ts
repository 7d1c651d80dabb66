import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { readBlobUrl } from '../base/blob-place.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { freePort } from '../testing/free-port.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { spawnProcess } from '../testing/spawn-process.ts'
import { isOnDisk, startTestService, type TestService } from '../testing/start-service.ts'
import { type Relay, startRelay } from '../testing/swift/relay.ts'
import { blobUrlOf, startSwift, type Swift, useCredentials } from '../testing/swift/start-swift.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { createWorld, type World } from '../testing/world.ts'

const hasSwift = await ensureInstalled('swift')
const MIB = 1024 ** 2
const PATIENCE = { timeout: 60_000, interval: 100 }

// A run with its content in Swift has the credentials of that one.
describe.skipIf(!hasSwift || !isOnDisk)('a bucket that is full or away', () => {
  let swift: Swift
  let relay: Relay
  let service: TestService
  let world: World
  let room: Room
  beforeAll(async () => {
    swift = await startSwift()
    useCredentials(swift)
    relay = await startRelay(swift.endpoint)
    service = await startTestService({ blobPlace: readBlobUrl(blobUrlOf({ ...swift, endpoint: relay.url })) })
    world = await createWorld(service)
  }, 180_000)
  afterAll(async () => {
    await service?.close()
    await relay?.close()
    await swift?.stop()
  })
  beforeEach(async () => {
    relay.mode = 'pass'
    room = await createRoom(world)
    await room.grant(0, 'download')
  })
  afterEach(() => swift.limitBytes(undefined))

  const query = () => ({ workspace_id: room.workspace_id })
  const readFile = async (file_id: number, { url } = service) => {
    const { expiring_url } = await world.bob.call(api.downloads.getFile, { params: { file_id }, query: query() })
    return Buffer.from(await (await fetch(url + new URL(expiring_url).pathname)).arrayBuffer())
  }

  async function beginUpload(content: Buffer) {
    const { alice } = world
    const body = { ...query(), folder_id: 0, file_name: 'parts.bin', size: String(content.length) }
    const { id } = await alice.call(api.uploads.create, { body })
    const chunkAt = (at: number) => ({
      call: { query: { ...query(), id, offset: String(at) } },
      bytes: new Uint8Array(content.subarray(at, at + 8 * MIB)),
    })
    return {
      offset: async () => (await alice.call(api.uploads.get, { params: { id }, query: query() })).offset,
      send: (at: number) => alice.call(api.uploads.append, chunkAt(at).call, chunkAt(at).bytes),
      refusedAt: (at: number) => alice.refused(api.uploads.append, chunkAt(at).call, chunkAt(at).bytes),
      finish: { params: { id }, body: query() },
    }
  }

  async function withWorker(use: () => Promise<void>): Promise<void> {
    const worker = spawnProcess('worker', service.config)
    try {
      await worker.line(/^worker: ready/)
      await use()
    } finally {
      await worker.end('SIGTERM')
    }
  }

  const untilRead = (id: number, status: string) =>
    vi.waitFor(async () => {
      const file = await world.alice.call(api.files.get, { params: { id }, query: query() })
      expect(file.viewer_image.status).toBe(status)
    }, PATIENCE)

  const untilPutBack = (kinds: string[]) =>
    vi.waitFor(async () => {
      const rows = service.services.db.selectFrom('jobs').select('kind').distinct().where('put_back', '>', 0)
      expect((await rows.execute()).map(({ kind }) => kind).toSorted()).toEqual(kinds)
    }, PATIENCE)

  it.each([8 * MIB + 5000, 5000])(
    'a chunked upload of %i bytes gets 507, and goes on once there is room',
    async (size) => {
      const content = randomBytes(size)
      const { offset, send, refusedAt, finish } = await beginUpload(content)
      await swift.limitBytes(1000)
      expect(await refusedAt(0)).toMatchObject({ code: 507, reason: 'no_room' })
      expect(await offset()).toBe('0')
      await swift.limitBytes(undefined)
      for (let at = 0; at < size; at += 8 * MIB) await send(at)

      await swift.limitBytes(1000)
      expect(await world.alice.refused(api.uploads.finish, finish)).toMatchObject({ code: 507, reason: 'no_room' })
      expect(await room.files(0)).toEqual([])
      await swift.limitBytes(undefined)
      const { id, version } = await world.alice.call(api.uploads.finish, finish)
      expect(version).toBe(1)
      expect((await readFile(id)).equals(content)).toBe(true)
    },
  )

  it('pages are drawn and shown while the bucket is full, and kept once there is room', async () => {
    const pdf = new Uint8Array(samplePdf([{}, {}]))
    const { id } = await room.upload(world.alice, 0, 'plan.pdf', pdf)
    const urlOfPage = async () => {
      const call = { params: { id }, query: { ...query(), page_number: 2 } }
      const { expiring_url } = (await world.bob.call(api.files.get, call)).viewer_image
      return service.url + new URL(expiring_url).pathname
    }
    const page = async (url?: string) => {
      const reply = await fetch(url ?? (await urlOfPage()))
      return { status: reply.status, size: (await reply.arrayBuffer()).byteLength }
    }
    const kept = async () => {
      const names: string[] = []
      for await (const { name } of service.services.blobs.shared?.list() ?? []) names.push(name)
      return names.some((name) => name.endsWith('/2.jpg'))
    }
    await swift.limitBytes(1000)
    await withWorker(() => untilRead(id, 'Ready'))
    const shown = await page()
    expect(shown).toMatchObject({ status: 200 })
    expect(await kept()).toBe(false)
    await swift.limitBytes(undefined)
    expect(await page()).toEqual(shown)
    expect(await kept()).toBe(true)
    relay.mode = 'refuse'
    const url = await urlOfPage()
    expect((await page(url)).status).toBe(503)
    await room.revoke(0, 'view')
    expect((await page(url)).status).toBe(404)
  })

  it('a worker puts documents and zips back while the bucket is full, and does them once there is room', async () => {
    const { alice } = world
    const text = randomBytes(10_000).toString('hex')
    const { id } = await room.upload(alice, 0, 'notes.txt', text)
    await alice.call(api.downloads.create, { body: { ...query(), download: { file_ids: [id] } } })
    const zip = async () => {
      const { downloads } = await alice.call(api.downloads.listStatus, { params: query() })
      return downloads.map(({ status }) => status)
    }
    await swift.limitBytes(1000)
    await withWorker(async () => {
      await untilPutBack(['ingest', 'zip'])
      await untilRead(id, 'Processing')
      expect(await zip()).toEqual(['processing'])
      await swift.limitBytes(undefined)
      await service.services.db
        .updateTable('jobs')
        .set({ run_at: sql`now()` })
        .execute()
      await untilRead(id, 'Ready')
      await vi.waitFor(async () => expect(await zip()).toEqual(['done']), PATIENCE)
    })
    expect((await readFile(id)).toString()).toBe(text)
  })

  it('K42: a store that nobody answers for stops no start: service and worker use it once it is there', async () => {
    const port = await freePort()
    const blobPlace = readBlobUrl(blobUrlOf({ ...swift, endpoint: `http://127.0.0.1:${port}` }))
    const cold = await startTestService({ blobPlace })
    const worker = spawnProcess('worker', cold.config)
    let store: Relay | undefined
    try {
      await worker.line(/^worker: ready/)
      const ready = await (await fetch(`${cold.url}/readyz`)).json()
      expect(ready).toMatchObject({ status: 'ready', warnings: [expect.stringContaining('store is away') as string] })
      const people = await createWorld(cold)
      const place = { workspace_id: people.workspace_id, folder_id: 0, file_name: 'first.txt' }
      const refused = await people.alice.refused(api.files.upload, { query: place }, 'first')
      expect(refused).toMatchObject({ code: 503, reason: 'storage_away' })

      store = await startRelay(swift.endpoint, port)
      const { id } = await people.alice.call(api.files.upload, { query: place }, 'first')
      const { workspace_id } = people
      await people.alice.call(api.downloads.create, { body: { workspace_id, download: { file_ids: [id] } } })
      await vi.waitFor(async () => {
        const { downloads } = await people.alice.call(api.downloads.listStatus, { params: { workspace_id } })
        expect(downloads.map(({ status }) => status)).toEqual(['done'])
      }, PATIENCE)
    } finally {
      await worker.end('SIGTERM')
      await cold.close()
      await store?.close()
    }
  })
})
