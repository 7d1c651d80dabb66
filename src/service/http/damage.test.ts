import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { openStorage } from '../blobs/open-storage.ts'
import { scrub } from '../blobs/scrub.ts'
import { sweepBlobs } from '../blobs/sweep.ts'
import { tellOfDamage } from '../store/documents/damage.ts'
import { readDocuments, runJobs } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { ON_DISK, startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService(ON_DISK)
  world = await createWorld(service)
})
afterAll(() => service.close())

let room: Room
let folder: number
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

const SMALL = 40_000
const LARGE = 3_000_000

interface Stored {
  id: number
  bytes: Buffer
  path: string
}

async function store(name: string, size: number): Promise<Stored> {
  const bytes = randomBytes(size)
  const { id } = await room.upload(world.alice, folder, name, new Uint8Array(bytes))
  return { id, bytes, path: await pathOf(id) }
}

async function pathOf(id: number): Promise<string> {
  const { blob_id } = await service.services.db
    .selectFrom('files')
    .select('blob_id')
    .where('workspace_id', '=', room.workspace_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return join(service.config.dataDir, 'blobs', blob_id.slice(0, 2), blob_id.slice(2, 4), blob_id)
}

async function flipBit({ path, bytes }: Stored, at = bytes.length - 7): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.from([(bytes[at] ?? 0) ^ 1]), 0, 1, at)
  await file.close()
}

const harms: Record<string, (stored: Stored) => Promise<void>> = {
  'a flipped bit': (stored) => flipBit(stored),
  'a missing end': ({ path, bytes }) => truncate(path, bytes.length - 10),
  'something behind the end': ({ path, bytes }) => truncate(path, bytes.length + 10),
  'no file at all': ({ path }) => rm(path),
}

/** Ways to damage a stored PDF so that no page can be drawn. */
const unreadable: Record<string, (stored: Stored) => Promise<void>> = {
  'no bytes as they were': ({ path, bytes }) => writeFile(path, Buffer.alloc(bytes.length, 0x20)),
  'a missing end': ({ path }) => truncate(path, 100),
  'no file at all': ({ path }) => rm(path),
}

const query = () => ({ workspace_id: room.workspace_id })

async function urlOf(id: number): Promise<string> {
  const call = { params: { file_id: id }, query: query() }
  const { expiring_url } = await world.alice.call(api.downloads.getFile, call)
  return service.url + new URL(expiring_url).pathname
}

/** Status, ETag and bytes; no bytes if the transfer broke off before its promised length. */
async function fetchWhole(id: number, headers: Record<string, string> = {}) {
  const response = await fetch(await urlOf(id), { headers })
  const bytes = await response.arrayBuffer().catch(() => undefined)
  return { status: response.status, bytes: bytes && Buffer.from(bytes), etag: response.headers.get('etag') }
}

const fileOf = (id: number) => world.alice.call(api.files.get, { params: { id }, query: query() })

describe.each(Object.entries(harms))('J4: content with %s', (_, harm) => {
  it.each([SMALL, LARGE])('of %i bytes is never delivered whole, is marked as damaged and reported', async (size) => {
    const stored = await store('plan.bin', size)
    expect((await fetchWhole(stored.id)).bytes?.equals(stored.bytes)).toBe(true)
    await harm(stored)
    for (let again = 0; again < 2; again++) {
      const { status, bytes } = await fetchWhole(stored.id)
      expect([status, bytes?.length === size]).not.toEqual([200, true])
    }
    expect(await fileOf(stored.id)).toMatchObject({ damaged: true })
    const mails = await service.services.db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
    expect(JSON.stringify(mails)).toContain('plan.bin, version 1')
    // Reported once, however often the file is requested.
    const told = (await room.messages()).filter((message) => message.startsWith('found'))
    expect(told).toEqual(['found damaged content in the file: plan.bin'])
    await room.upload(world.alice, folder, 'plan.bin', 'again')
    expect(await fileOf(stored.id)).toMatchObject({ damaged: false, version: 2 })
  })

  it('is found by the scrub before any request, and is whole again after a restore', async () => {
    const stored = await store('plan.bin', SMALL)
    const whole = await store('other.bin', SMALL)
    await harm(stored)
    const { db, blobs } = service.services
    const options = { before: new Date(Date.now() + 60_000), bytesPerSecond: 1024 ** 3, url: 'http://dashboard.test' }
    const scrubAll = async () => {
      await db
        .updateTable('documents')
        .set({ checked_at: new Date(0) })
        .execute()
      while ((await scrub(db, blobs, { ...options, before: new Date(1) })) > 0);
    }
    await scrubAll()
    expect(await fileOf(stored.id)).toMatchObject({ damaged: true })
    expect(await fileOf(whole.id)).toMatchObject({ damaged: false })
    const file = await open(stored.path, 'w')
    await file.write(stored.bytes)
    await file.close()
    await scrubAll()
    expect(await fileOf(stored.id)).toMatchObject({ damaged: false })
    expect((await fetchWhole(stored.id)).bytes?.equals(stored.bytes)).toBe(true)
  })

  it('never becomes part of a finished zip', async () => {
    const stored = await store('plan.bin', SMALL)
    await harm(stored)
    const body = { ...query(), download: { file_ids: [stored.id] } }
    const { id } = await world.alice.call(api.downloads.create, { body })
    await runJobs(service)
    expect(await statusOf(id)).toBe('failed')
    expect(await fileOf(stored.id)).toMatchObject({ damaged: true })
  })

  it('breaks off a zip that was finished before, and the zip no longer counts as finished', async () => {
    const stored = await store('plan.bin', LARGE)
    const body = { ...query(), download: { file_ids: [stored.id] } }
    const { id } = await world.alice.call(api.downloads.create, { body })
    await runJobs(service)
    const { expiring_url } = await world.alice.call(api.downloads.get, { params: { id }, query: query() })
    await harm(stored)
    const response = await fetch(service.url + new URL(expiring_url).pathname)
    const bytes = await response.arrayBuffer().catch(() => undefined)
    expect([response.status, bytes]).not.toEqual([200, expect.any(ArrayBuffer)])
    expect(await statusOf(id)).toBe('failed')
  })
})

describe.each(Object.entries(unreadable))('a PDF with %s', (_, spoil) => {
  let id: number
  beforeEach(async () => {
    const bytes = samplePdf([{}])
    id = (await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(bytes))).id
    await readDocuments(service)
    await rm(join(service.config.dataDir, 'cache'), { recursive: true, force: true })
    await spoil({ id, bytes, path: await pathOf(id) })
  })

  it('J4: is marked as damaged when one of its pages cannot be drawn, and drawn again after a restore', async () => {
    const { viewer_image } = await world.alice.call(api.files.get, { params: { id }, query: query() })
    const view = () => fetch(service.url + new URL(viewer_image.expiring_url).pathname)
    expect((await view()).status).toBe(422)
    expect(await fileOf(id)).toMatchObject({ damaged: true })
    await writeFile(await pathOf(id), samplePdf([{}]))
    expect((await view()).status).toBe(200)
  })

  it('J4: is marked as damaged when it cannot be stamped', async () => {
    await room.grant(folder, 'download')
    const body = { workspace_id: room.workspace_id, group: { watermarking: true } }
    await world.alice.call(api.groups.setWatermarking, { params: { id: room.group_id }, body })
    const call = { params: { file_id: id }, query: query() }
    expect(await world.bob.refused(api.downloads.getFile, call)).toMatchObject({
      code: 422,
      message: expect.stringContaining('damaged in the storage'),
    })
    expect(await fileOf(id)).toMatchObject({ damaged: true })
  })
})

it('J4: content without a file version does not stop the scrub', async () => {
  const stored = await store('plan.bin', SMALL)
  await flipBit(stored)
  const { db, blobs } = service.services
  const unnamed = Array.from({ length: 30 }, (_, index) => ({
    workspace_id: room.workspace_id,
    blob_id: `unnamed-${index}`,
    content_type: 'application/octet-stream',
    checked_at: new Date(0),
  }))
  await db.insertInto('documents').values(unnamed).execute()
  await db
    .updateTable('documents')
    .set({ checked_at: new Date(0) })
    .where('blob_id', 'in', db.selectFrom('files').select('blob_id').where('id', '=', stored.id))
    .where('workspace_id', '=', room.workspace_id)
    .execute()
  const options = { before: new Date(1), bytesPerSecond: 1024 ** 3, url: 'http://dashboard.test' }
  expect(await scrub(db, blobs, options)).toBe(1)
  expect(await fileOf(stored.id)).toMatchObject({ damaged: true })
})

async function statusOf(id: number): Promise<string | undefined> {
  const { downloads } = await world.alice.call(api.downloads.listStatus, {
    params: { workspace_id: room.workspace_id },
  })
  return downloads.find((download) => download.id === id)?.status
}

describe('H3: a range', () => {
  it.each([SMALL, LARGE])('of damaged content of %i bytes is not certified by an ETag', async (size) => {
    const stored = await store('plan.bin', size)
    await flipBit(stored, 5)
    const { status, etag } = await fetchWhole(stored.id, { range: `bytes=0-${size / 2}` })
    expect([status, etag]).not.toEqual([206, expect.any(String)])
    expect(await fileOf(stored.id)).toMatchObject({ damaged: true })
  })

  it('of intact content resumes a download where it stopped', async () => {
    const { id, bytes } = await store('plan.bin', LARGE)
    const { etag } = await fetchWhole(id)
    const rest = await fetchWhole(id, { range: 'bytes=1000000-', 'if-range': etag ?? '' })
    expect([rest.status, rest.etag]).toEqual([206, etag])
    expect(rest.bytes?.equals(bytes.subarray(1_000_000))).toBe(true)
  })
})

describe('K22: while the volume with the content is not mounted', () => {
  const root = () => join(service.config.dataDir, 'blobs')
  const aside = () => join(service.config.dataDir, 'elsewhere')
  const unmount = async () => {
    await rename(root(), aside())
    await mkdir(root())
  }
  const mount = async () => {
    await rm(root(), { recursive: true })
    await rename(aside(), root())
  }

  it('files, zips and uploads answer 503, no file is marked as damaged, and everything recovers', async () => {
    const stored = await store('plan.bin', LARGE)
    const { db, blobs } = service.services
    const body = { ...query(), download: { file_ids: [stored.id] } }
    const { id } = await world.alice.call(api.downloads.create, { body })
    await unmount()
    try {
      const reply = await fetch(await urlOf(stored.id))
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
      expect((await fetch(await urlOf(stored.id), { headers: { range: 'bytes=5-9' } })).status).toBe(503)
      await expect(room.upload(world.alice, folder, 'new.bin', 'x')).rejects.toMatchObject({ code: 503 })
      await db
        .updateTable('documents')
        .set({ checked_at: new Date(0) })
        .execute()
      const options = { before: new Date(1), bytesPerSecond: 1024 ** 3, url: 'http://dashboard.test' }
      await expect(scrub(db, blobs, options)).rejects.toMatchObject({ status: 503 })
      await expect(sweepBlobs(db, blobs, new Date(Date.now() + 60_000))).rejects.toMatchObject({ status: 503 })
      await runJobs(service)
      expect(await statusOf(id)).not.toBe('failed')
      // A process that starts now neither accepts the empty folder as the storage nor claims it.
      const other = await openStorage(db, service.config)
      await expect(other.requirePresent()).rejects.toMatchObject({ status: 503 })
    } finally {
      await mount()
    }
    expect(await fileOf(stored.id)).toMatchObject({ damaged: false })
    expect((await fetchWhole(stored.id)).bytes?.equals(stored.bytes)).toBe(true)
    expect((await room.messages()).filter((message) => message.startsWith('found'))).toEqual([])
    await (await openStorage(db, service.config)).requirePresent()
  })

  it('a different storage in its place is not swept', async () => {
    const stored = await store('plan.bin', SMALL)
    await rm(join(root(), 'storage-id'))
    const strange = join(root(), 'storage-id')
    await writeFile(strange, '0'.repeat(32))
    const { db, blobs } = service.services
    await expect(sweepBlobs(db, blobs, new Date(Date.now() + 60_000))).rejects.toMatchObject({ status: 503 })
    // Without an id file, the storage is recognised by its content.
    await rm(strange)
    await (await openStorage(db, service.config)).requirePresent()
    expect((await fetchWhole(stored.id)).bytes?.equals(stored.bytes)).toBe(true)
  })
})

it('J4: files found damaged shortly after a first one share one later mail', async () => {
  const files = [await store('a.bin', SMALL), await store('b.bin', SMALL), await store('c.bin', SMALL)]
  const { db } = service.services
  const subjects = async () => {
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').orderBy('id').execute()
    return jobs
      .map(({ payload }) => (payload as { subject: string }).subject)
      .filter((each) => each.endsWith('damaged'))
  }
  const before = (await subjects()).length
  for (const stored of files) {
    await flipBit(stored)
    await fetchWhole(stored.id)
  }
  await tellOfDamage(db, 'http://dashboard.test')
  const first = (await subjects()).slice(before)
  expect(new Set(first).size).toBe(1)
  await db
    .updateTable('documents')
    .set({ damage_told_at: new Date(0) })
    .where('damage_told_at', 'is not', null)
    .execute()
  await tellOfDamage(db, 'http://dashboard.test')
  await tellOfDamage(db, 'http://dashboard.test')
  const later = (await subjects()).slice(before + first.length)
  expect(later).toHaveLength(first.length)
  expect(later.every((subject) => subject.startsWith('2 files in '))).toBe(true)
})

it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])(
  'J6: a lack of resources (%s) gives 503 with Retry-After',
  async (code) => {
    const { id } = await store('plan.bin', SMALL)
    const { integrity } = service.services
    const { read } = integrity
    integrity.read = () => Promise.reject(Object.assign(new Error(`spawn ${code}`), { code }))
    try {
      const reply = await fetch(await urlOf(id))
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
    } finally {
      integrity.read = read
    }
  },
)
