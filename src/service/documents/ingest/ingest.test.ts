import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { api } from '../../../contract/index.ts'
import { sweepBlobs } from '../../blobs/sweep.ts'
import { type DatabaseRelay, startDatabaseRelay } from '../../testing/database/database-relay.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { isOnDisk, startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { purgeTrash } from '../../store/trash/trash.ts'

let relay: DatabaseRelay
let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService({}, async (url) => (relay = await startDatabaseRelay(url)).url)
  world = await createWorld(service)
})
afterAll(async () => {
  await service.close()
  await relay.dispose()
})
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

const bytes = (content: Buffer) => new Uint8Array(content)

async function facts(id: number) {
  const query = { workspace_id: room.workspace_id }
  const { pages, infected, viewer_image } = await world.alice.call(api.files.get, { params: { id }, query })
  return { pages, infected, status: viewer_image.status, reason: viewer_image.reason }
}

const READY = { infected: null, status: 'Ready', reason: '' }

describe('an uploaded file', () => {
  it('is pending until it is read, and then ready', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', bytes(samplePdf([{}, {}, {}])))
    expect(await facts(id)).toEqual({ ...READY, status: 'Pending', pages: 0 })
    await readDocuments(service)
    expect(await facts(id)).toEqual({ ...READY, pages: 3 })
    const { immediate_subfiles } = await world.alice.call(api.folders.get, {
      params: { id: folder },
      query: { workspace_id: room.workspace_id },
    })
    expect(immediate_subfiles).toMatchObject([{ pages: 3, viewer_status: 'Ready' }])
  })

  it('is another document when uploaded again under the same name', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', bytes(samplePdf([{}, {}])))
    await readDocuments(service)
    await room.upload(world.alice, folder, 'plan.pdf', bytes(samplePdf([{}])))
    expect(await facts(id)).toEqual({ ...READY, status: 'Pending', pages: 0 })
    await readDocuments(service)
    expect(await facts(id)).toEqual({ ...READY, pages: 1 })
    const versions = await world.alice.call(api.files.versions, {
      params: { id },
      query: { workspace_id: room.workspace_id },
    })
    expect(versions).toMatchObject([
      { version: 2, pages: 1, viewer_status: 'Ready', uploaded_by_name: 'Alice Tester' },
      { version: 1, pages: 2, viewer_status: 'Ready' },
    ])
  })

  it('of a type without pages is unsupported', async () => {
    const { id } = await room.upload(world.alice, folder, 'data.bin', new Uint8Array([0, 1, 2, 3]))
    await readDocuments(service)
    const reason = 'There is no preview for this type of file.'
    expect(await facts(id)).toEqual({ pages: 0, infected: null, status: 'Unsupported', reason })
  })

  it('may be an image', async () => {
    const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    const { id } = await room.upload(world.alice, folder, 'photo.png', bytes(await image.png().toBuffer()))
    await readDocuments(service)
    expect(await facts(id)).toEqual({ ...READY, pages: 1 })
  })
})

describe('a document that needs no tool', () => {
  const cost = async () => {
    relay.meter()
    await readDocuments(service)
    return relay.meter().roundTrips
  }
  const make = (name: string) =>
    name.endsWith('pdf') ? bytes(samplePdf([{}, {}])) : new Uint8Array(Buffer.from('\u0000\u0001 bytes'))

  it.each(['known.pdf', 'data.bin'])('is ingested in one transaction: %s', async (name) => {
    await room.upload(world.alice, folder, name, make(name))
    await readDocuments(service)
    const idle = await cost()
    const { id } = await room.upload(world.alice, folder, `again ${name}`, make(name))
    // Taken, read, recorded and finished, in a round trip each; the rest is a reserve for a new connection.
    expect((await cost()) - idle).toBeLessThanOrEqual(6)
    expect(await facts(id)).toMatchObject(name.endsWith('pdf') ? { ...READY, pages: 2 } : { status: 'Unsupported' })
  })
})

describe('an unreadable file fails for good, with a reason', () => {
  /** A PDF that no password opens, not even the empty one. */
  const lockedPdf = () => {
    const hash = `<${'5a'.repeat(32)}>`
    const lock = `/Encrypt<</Filter/Standard/V 1/R 2/O${hash}/U${hash}/P -4>>/ID[<00><00>]`
    return Buffer.from(samplePdf([{}]).toString('latin1').replace('/Root 1 0 R', `/Root 1 0 R${lock}`), 'latin1')
  }

  it.each([
    ['a PDF without pages', () => samplePdf([]), 'The document has no pages.'],
    ['a PDF cut off', () => samplePdf([{}]).subarray(0, 80), 'The document is damaged and cannot be read.'],
    ['a PDF with a password', lockedPdf, 'The document is protected by a password.'],
    [
      'a dynamic XFA form, whose only page asks to wait',
      () => samplePdf([{}], { catalog: '/AcroForm<</Fields[]/XFA(a)>>/NeedsRendering true' }),
      'The document is a dynamic XFA form, whose pages only programs such as Adobe Acrobat make.',
    ],
  ])('%s', async (_, make, reason) => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', bytes(make()))
    await readDocuments(service)
    expect(await facts(id)).toEqual({ pages: 0, infected: null, status: 'Failed', reason })
    expect(await service.services.db.selectFrom('jobs').select('id').where('kind', '=', 'ingest').execute()).toEqual([])
  })
})

describe('a copy', () => {
  const copy = async (id: number, destination_folder_id = folder) =>
    (
      await world.alice.call(api.files.copy, {
        params: { id },
        body: { workspace_id: room.workspace_id, destination_folder_id },
      })
    ).id

  it('made before the file is read becomes ready with it, and one made later is ready at once', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', bytes(samplePdf([{}, {}])))
    const early = await copy(id)
    await readDocuments(service)
    const late = await copy(id)
    expect([await facts(early), await facts(late)]).toEqual([
      { ...READY, pages: 2 },
      { ...READY, pages: 2 },
    ])
  })

  it('of a folder has ready files', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', bytes(samplePdf([{}])))
    await readDocuments(service)
    const { id: copied } = await world.alice.call(api.folders.copy, {
      params: { id: folder },
      body: { workspace_id: room.workspace_id, destination_folder_id: 0 },
    })
    const { immediate_subfiles } = await world.alice.call(api.folders.get, {
      params: { id: copied },
      query: { workspace_id: room.workspace_id },
    })
    expect(immediate_subfiles).toMatchObject([{ pages: 1, viewer_status: 'Ready' }])
    expect(immediate_subfiles[0]?.id).not.toBe(id)
  })

  it('made while the document becomes ready is ready as well', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await room.upload(world.alice, folder, `plan ${round}.pdf`, bytes(samplePdf([{}])))
      const [, ...copies] = await Promise.all([readDocuments(service), copy(id), copy(id), copy(id)])
      for (const each of copies) expect(await facts(each)).toEqual({ ...READY, pages: 1 })
    }
  })

  it('uploaded separately reuses the pages of the same bytes', async () => {
    const content = bytes(samplePdf([{}, {}, {}, {}]))
    await room.upload(world.alice, folder, 'a.pdf', content)
    await readDocuments(service)
    const { id } = await room.upload(world.alice, folder, 'b.pdf', content)
    // Remove the content, to show that known pages are reused without reading it.
    const { blob_id } = await service.services.db
      .selectFrom('files')
      .select('blob_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await service.services.blobs.remove(blob_id)
    await readDocuments(service)
    expect(await facts(id)).toEqual({ ...READY, pages: 4 })
  })
})

it.skipIf(!isOnDisk)('purging a file removes everything that was made of it', async () => {
  const { db, blobs } = service.services
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>'
  const { id } = await room.upload(world.alice, folder, 'logo.svg', svg)
  await readDocuments(service)
  expect(await facts(id)).toEqual({ ...READY, pages: 1 })
  const sha256 = createHash('sha256').update(svg).digest()
  const known = db
    .selectFrom('documents')
    .select(['blob_id', 'converted_blob_id'])
    .where('blob_id', 'in', db.selectFrom('file_versions').select('blob_id').where('sha256', '=', sha256))
  const { blob_id, converted_blob_id } = await known.executeTakeFirstOrThrow()
  const cached = () => readdir(join(service.config.dataDir, 'cache', 'pages'), { recursive: true })
  expect((await cached()).join()).toContain(String(converted_blob_id))

  const later = new Date(Date.now() + 86_400_000)
  const cache = { removeAll: async (ids: readonly string[]) => void removed.push(...ids) }
  const removed: string[] = []
  await sweepBlobs(db, blobs, later, cache.removeAll)
  expect(removed).not.toContain(converted_blob_id)

  await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id: room.workspace_id } })
  await purgeTrash(db, new Date(Date.now() + 31 * 86_400_000))
  await sweepBlobs(db, blobs, later, cache.removeAll)
  expect(removed).toEqual(expect.arrayContaining([blob_id, converted_blob_id]))
  const left = await sql`select from documents where blob_id = ${blob_id}`.execute(db)
  expect(left.rows).toEqual([])
})
