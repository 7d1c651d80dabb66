import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { finishJob, MAX_ATTEMPTS, takeJob } from '../jobs/queue.ts'
import { readDocuments } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('2025', await room.folder('Finance'))
})

const good = () => new Uint8Array(samplePdf([{}]))

async function list(status?: 'failed' | 'unsupported' | 'waiting') {
  const query = { workspace_id: room.workspace_id, ...(status && { status }) }
  return world.alice.call(api.documents.list, { query })
}

const titles = async (status?: Parameters<typeof list>[0]) => (await list(status)).map((row) => row.title)
const retry = (file_ids?: number[]) =>
  world.alice.call(api.documents.retry, { body: { workspace_id: room.workspace_id, ...(file_ids && { file_ids }) } })
const makeDue = () => sql`update jobs set run_at = now() where kind = 'ingest'`.execute(service.services.db)

/** Takes the content away while `work` runs, as if its disk were missing. */
async function withoutContent(id: number, work: () => Promise<void>): Promise<void> {
  const { db, blobs } = service.services
  const { blob_id } = await db.selectFrom('files').select('blob_id').where('id', '=', id).executeTakeFirstOrThrow()
  const content = await (await blobs.read(blob_id)).toArray()
  await blobs.remove(blob_id)
  try {
    await work()
  } finally {
    await blobs.put(blob_id, Readable.from(content))
  }
}

describe('the queue', () => {
  it('shows waiting and failed documents, not finished ones', async () => {
    await room.upload(world.alice, folder, 'good.pdf', good())
    await room.upload(world.alice, folder, 'data.bin', new Uint8Array([0, 1, 2]))
    const { id } = await room.upload(world.alice, folder, 'broken.pdf', '%PDF-1.7 and nothing more')
    await readDocuments(service)
    await room.upload(world.alice, folder, 'late.pdf', good())
    expect(await list()).toMatchObject([
      {
        file_id: id,
        title: 'broken.pdf',
        folder_id: folder,
        folder_path: '/Finance/2025',
        version: 1,
        file_content_type: 'application/pdf',
        file_size: '25',
        status: 'Failed',
        infected: null,
        reason: 'The document is damaged and cannot be read.',
        reason_code: 'damaged',
        reason_params: {},
        attempts: 0,
        next_attempt_at: null,
      },
      {
        title: 'late.pdf',
        status: 'Pending',
        reason: '',
        reason_code: null,
        reason_params: {},
        attempts: 0,
        next_attempt_at: expect.any(String),
      },
    ])
    expect([await titles('failed'), await titles('waiting')]).toEqual([['broken.pdf'], ['late.pdf']])
  })

  it('covers only current versions of files that are not deleted', async () => {
    const { id } = await room.upload(world.alice, folder, 'broken.pdf', '%PDF-1.7 and nothing more')
    const gone = await room.upload(world.alice, folder, 'gone.pdf', '%PDF-1.7 and nothing else')
    await readDocuments(service)
    expect((await titles()).toSorted()).toEqual(['broken.pdf', 'gone.pdf'])
    await world.alice.call(api.files.remove, { params: { id: gone.id }, query: { workspace_id: room.workspace_id } })
    await room.upload(world.alice, folder, 'broken.pdf', good())
    expect(await list()).toMatchObject([{ file_id: id, version: 2, status: 'Pending' }])
    await readDocuments(service)
    expect(await list()).toEqual([])
  })

  it('is paged', async () => {
    for (let at = 0; at < 26; at++) await room.upload(world.alice, folder, `${at}.pdf`, `%PDF-${at}`)
    const query = { workspace_id: room.workspace_id, page: 2, per_page: 25 as const }
    expect(await world.alice.call(api.documents.list, { query })).toHaveLength(1)
    const response = await world.alice.fetch(`/api/v1/documents?workspace_id=${room.workspace_id}&per_page=25`)
    expect([response.headers.get('x-total-count'), response.headers.get('link')]).toEqual([
      '26',
      expect.stringContaining('page=2'),
    ])
  })
})

describe('a failure that is not the document’s fault', () => {
  it('is retried automatically, and the queue says when', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', good())
    await withoutContent(id, () => readDocuments(service))
    const [waiting] = await list()
    expect(waiting).toMatchObject({ status: 'Processing', attempts: 1, next_attempt_at: expect.any(String) })
    await makeDue()
    await readDocuments(service)
    expect(await list()).toEqual([])
  })

  it('becomes final after several attempts, until an admin asks for a retry', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', good())
    await withoutContent(id, async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        await makeDue()
        await readDocuments(service)
      }
    })
    const reason = 'It could not be read, in several attempts.'
    expect(await list()).toMatchObject([{ status: 'Failed', reason, attempts: MAX_ATTEMPTS, next_attempt_at: null }])
    expect(await retry()).toEqual({ retried: 1, message: 'had 1 document read again' })
    expect(await list()).toMatchObject([
      { status: 'Pending', reason: '', reason_code: null, reason_params: {}, attempts: 0 },
    ])
    await readDocuments(service)
    expect(await list()).toEqual([])
  })
})

describe('a retry', () => {
  it('takes the given files, and does not change those already waiting', async () => {
    const broken = await room.upload(world.alice, folder, 'broken.pdf', '%PDF-1.7 and nothing more')
    await room.upload(world.alice, folder, 'other.pdf', '%PDF-1.7 and nothing else')
    const data = await room.upload(world.alice, folder, 'data.bin', new Uint8Array([0, 1, 2]))
    const fine = await room.upload(world.alice, folder, 'fine.pdf', good())
    await readDocuments(service)
    const late = await room.upload(world.alice, folder, 'late.pdf', good())
    expect(await retry([broken.id, fine.id, data.id, late.id, 2_000_000_000])).toMatchObject({ retried: 3 })
    expect((await titles('waiting')).toSorted()).toEqual(['broken.pdf', 'data.bin', 'fine.pdf', 'late.pdf'])
    expect(await titles('failed')).toEqual(['other.pdf'])
    await readDocuments(service)
    expect((await titles()).toSorted()).toEqual(['broken.pdf', 'other.pdf'])
  })

  it('is not lost when a worker is just finishing', async () => {
    const { db } = service.services
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', good())
    const job = await takeJob(db, { kinds: ['ingest'] })
    await db.updateTable('documents').set({ status: 'Failed' }).where('workspace_id', '=', room.workspace_id).execute()
    expect(await retry([id])).toMatchObject({ retried: 1 })
    if (job) await finishJob(db, job)
    await sql`update jobs set leased_until = now() - interval '1 s' where kind = 'ingest'`.execute(db)
    await readDocuments(service)
    expect(await list()).toEqual([])
  })

  it('of all documents leaves other workspaces alone', async () => {
    await room.upload(world.alice, folder, 'broken.pdf', '%PDF-1.7 and nothing more')
    const elsewhere = await createRoom(world)
    const { id } = await elsewhere.upload(world.alice, await elsewhere.folder('A'), 'theirs.pdf', '%PDF-1.7')
    await readDocuments(service)
    expect(await retry([id])).toMatchObject({ retried: 0 })
    expect(await retry()).toMatchObject({ retried: 1 })
    const query = { workspace_id: elsewhere.workspace_id }
    expect(await world.alice.call(api.documents.list, { query })).toMatchObject([{ status: 'Failed' }])
  })
})
