import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { sweepBlobs } from '../../../blobs/sweep.ts'
import { createLanes } from '../../../jobs/lanes.ts'
import { type Runners, runNextJob } from '../../../jobs/run.ts'
import { listUnreferenced } from '../../../store/files/file-versions.ts'
import { sweepStampedFiles } from '../../../store/downloads/stamped-files.ts'
import { createRoom, type Room } from '../../../testing/room.ts'
import { samplePdf } from '../../../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../../../testing/start-service.ts'
import { createWorld, type Person, type World } from '../../../testing/world.ts'
import { buildDownload } from '../../zip/build-download.ts'
import type { Stamper } from './stamper.ts'
import { createOverlays } from '../plan/overlay.ts'

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
  service.setClock(new Date())
  room = await createRoom(world)
  folder = await room.folder('Marked')
  await room.grant(folder, 'download')
  const body = { workspace_id: room.workspace_id, group: { watermarking: true } }
  await world.alice.call(api.groups.setWatermarking, { params: { id: room.group_id }, body })
  file_id = (await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}])))).id
})

const call = () => ({ params: { file_id }, query: { workspace_id: room.workspace_id } })
const copyFor = (person: Person) => person.call(api.downloads.getFile, call())
const copies = () =>
  service.services.db.selectFrom('stamped_files').selectAll().where('file_id', '=', file_id).execute()
const get = (url: string) => fetch(service.url + new URL(url).pathname)
const statusOf = async (url: string) => (await get(url)).status

/** Returns the status of the URL before and after a change. */
async function beforeAndAfter(change: () => Promise<unknown>): Promise<[number, number]> {
  const { expiring_url } = await copyFor(world.bob)
  const before = await statusOf(expiring_url)
  await change()
  return [before, await statusOf(expiring_url)]
}

describe('a stamped copy', () => {
  it('is delivered under the name of the file, and its download is recorded', async () => {
    const { expiring_url, file_name } = await copyFor(world.bob)
    const response = await get(expiring_url)
    expect(file_name).toBe('plan.pdf')
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=plan.pdf')
    expect(await room.messages()).toContain('downloaded the file: plan.pdf')
  })

  it('is made once a minute, and anew for another version or another look', async () => {
    await copyFor(world.bob)
    await copyFor(world.bob)
    expect(await copies()).toHaveLength(1)
    await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}, {}])))
    await copyFor(world.bob)
    expect(await copies()).toHaveLength(2)
    await world.alice.call(api.watermarks.create, { body: { team_id: world.team_id, custom_text: 'Draft' } })
    await copyFor(world.bob)
    expect(await copies()).toHaveLength(3)
  })

  it.each([
    ['the right', () => room.revoke(folder, 'download')],
    [
      'the file',
      () => world.alice.call(api.files.remove, { params: { id: file_id }, query: { workspace_id: room.workspace_id } }),
    ],
    [
      'the clean verdict',
      () => service.services.db.updateTable('files').set({ infected: true }).where('id', '=', file_id).execute(),
    ],
  ])('D8: ends with %s', async (_, change) => {
    expect(await beforeAndAfter(change)).toEqual([200, 404])
  })

  it('D8: is available to its user only', async () => {
    await copyFor(world.bob)
    const [copy] = await copies()
    const organization_id = 1
    const expires = Math.floor(Date.now() / 1000) + 60
    const claim = {
      action: 'stamped',
      file_id,
      stamped_id: copy?.id ?? 0,
      expires,
      organization_id,
      personal_key_id: null,
    } as const
    const urlFor = ({ id }: Person) =>
      service.services.contentUrls.make({ ...claim, workspace_id: room.workspace_id, user_id: id })
    expect([await statusOf(urlFor(world.bob)), await statusOf(urlFor(world.alice))]).toEqual([200, 404])
  })

  it('is removed with its content after its URL has expired', async () => {
    const { db, blobs } = service.services
    await copyFor(world.bob)
    const [{ blob_id } = { blob_id: '' }] = await copies()
    expect(await listUnreferenced(db, [blob_id])).toEqual([])
    await sweepStampedFiles(db, new Date(Date.now() + 3_600_000))
    await sweepBlobs(db, blobs, new Date(Date.now() + 60_000), async () => {})
    expect(await copies()).toEqual([])
    await expect(blobs.read(blob_id)).rejects.toThrow('ENOENT')
  })

  it('of another type has the extension of that type', async () => {
    const { db } = service.services
    const converted = await room.upload(world.alice, folder, 'made.pdf', new Uint8Array(samplePdf([{}])))
    file_id = (await room.upload(world.alice, folder, 'Terms.docx', 'stands for a text')).id
    const { blob_id } = await db
      .selectFrom('files')
      .select('blob_id')
      .where('id', '=', converted.id)
      .executeTakeFirstOrThrow()
    const source = db.selectFrom('files').select('blob_id').where('id', '=', file_id)
    await db
      .updateTable('documents')
      .set({ status: 'Ready', converted_blob_id: blob_id, converted_type: 'application/pdf' })
      .where('blob_id', '=', source)
      .execute()
    expect((await copyFor(world.bob)).file_name).toBe('Terms.pdf')
  })
})

it('stamping a file for a zip is aborted when the worker stops', async () => {
  const { services } = service
  const download = { folder_ids: [], file_ids: [file_id] }
  await world.bob.call(api.downloads.create, { body: { workspace_id: room.workspace_id, download } })
  const stop = new AbortController()
  const stamp: Stamper['stamp'] = (_source, _marking, _delivery, signal) => {
    setImmediate(() => stop.abort())
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('the work was given up'))),
    )
  }
  const means = { ...services, overlays: createOverlays(), stamper: { ...services.stamper, stamp } }
  const runners = { zip: (key, turn) => buildDownload(means, key, turn) } as Runners
  const lanes = createLanes({ count: 1, turnMs: 60_000 })
  await runNextJob(services.db, runners, { kinds: ['zip'], lanes, stop: stop.signal })
  const jobs = await services.db.selectFrom('jobs').selectAll().where('kind', '=', 'zip').execute()
  expect(jobs).toMatchObject([{ heavy: false, attempts: 1, put_back: 1, error: 'The worker stopped.' }])
})
