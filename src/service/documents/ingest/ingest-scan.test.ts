import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { strToU8, zipSync } from 'fflate'
import { api } from '../../../contract/index.ts'
import { applyScanPolicy } from '../../store/documents/scan-policy.ts'
import { type Clamd, CLAMD_MAX_BYTES, EICAR, startClamd } from '../../testing/clamd.ts'
import { readDocuments, runJobs } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'

const isInstalled = await ensureInstalled('clamav')

describe.skipIf(!isInstalled)('when scanning is required', () => {
  let clamd: Clamd
  let service: TestService
  let world: World
  let room: Room
  let folder: number
  beforeAll(async () => {
    clamd = await startClamd()
    service = await startTestService({ clamdUrl: clamd.url, clamdMaxBytes: CLAMD_MAX_BYTES, scanRequired: true })
    world = await createWorld(service)
  })
  afterAll(async () => {
    await service.close()
    await clamd.stop()
  })
  beforeEach(async () => {
    room = await createRoom(world)
    folder = await room.folder('Finance')
    await room.grant(folder, 'download')
  })

  const query = () => ({ workspace_id: room.workspace_id })
  const infectedPdf = () =>
    new Uint8Array(samplePdf([{ content: `BT (${EICAR.replaceAll(/[()\\]/g, '\\$&')}) Tj ET % ${EICAR}` }]))
  const cleanPdf = () => new Uint8Array(samplePdf([{}]))
  const away = () => readDocuments(service, { clamdUrl: 'unix:/nowhere/clamd.sock' })

  const upload = async (content: Uint8Array<ArrayBuffer> | string, name = 'plan.pdf') =>
    (await room.upload(world.alice, folder, name, content)).id

  async function facts(id: number) {
    const { infected, viewer_image } = await world.alice.call(api.files.get, { params: { id }, query: query() })
    return { infected, status: viewer_image.status, reason: viewer_image.reason, url: viewer_image.expiring_url !== '' }
  }

  const download = (id: number) =>
    world.bob.statusOf(api.downloads.getFile, { params: { file_id: id }, query: query() })

  /** Returns the zip of the folder as a member downloads it; its manifest is readable as text. */
  async function manifest(): Promise<string> {
    const { id } = await world.bob.call(api.downloads.create, {
      body: { ...query(), download: { folder_ids: [folder] } },
    })
    await runJobs(service)
    const { expiring_url } = await world.bob.call(api.downloads.get, { params: { id }, query: query() })
    return (await fetch(service.url + new URL(expiring_url).pathname)).text()
  }

  it('E8: a clean file is delivered to members after its scan, and not before', async () => {
    const id = await upload(cleanPdf())
    expect(await download(id)).toBe(409)
    const selected = { ...query(), download: { file_ids: [id] } }
    expect(await world.bob.statusOf(api.downloads.create, { body: selected })).toBe(409)
    expect(await manifest()).toContain('not checked for malware yet')
    const asAdmin = { params: { file_id: id }, query: query() }
    expect(await world.alice.statusOf(api.downloads.getFile, asAdmin)).toBe(200)
    await readDocuments(service)
    expect(await facts(id)).toEqual({ infected: false, status: 'Ready', reason: '', url: true })
    expect(await download(id)).toBe(200)
    expect(await manifest()).not.toContain('not checked for malware yet')
  })

  it.each([
    ['in a file', () => EICAR, 'note.txt'],
    ['in a PDF', infectedPdf, 'plan.pdf'],
    ['in an archive', () => new Uint8Array(zipSync({ 'inner.txt': strToU8(EICAR) })), 'all.zip'],
  ])('malware %s is never viewed, copied or downloaded', async (_, make, name) => {
    const id = await upload(make(), name)
    await readDocuments(service)
    const reason = 'The file is infected. It can be deleted, and nothing else.'
    expect(await facts(id)).toEqual({ infected: true, status: 'Failed', reason, url: false })
    expect(await download(id)).toBe(422)
    const copy = { params: { id }, body: { ...query(), destination_folder_id: folder } }
    expect(await world.alice.statusOf(api.files.copy, copy)).toBe(422)
    expect(await world.alice.statusOf(api.files.remove, { params: { id }, query: query() })).toBe(200)
  })

  it('K104: malware that is found later is kept back in every workspace that shares the content', async () => {
    const { db } = service.services
    const id = await upload(EICAR, 'note.txt')
    // As a scanner leaves it that does not know this malware yet.
    await sql`delete from jobs where kind = 'ingest'`.execute(db)
    for (const table of ['documents', 'files']) {
      const state = table === 'files' ? sql`viewer_status = 'Ready'` : sql`status = 'Ready', scanned_at = now()`
      await sql`update ${sql.table(table)} set ${state}, infected = false, held = false
        where workspace_id = ${room.workspace_id}`.execute(db)
    }
    const source = { workspace_id: room.workspace_id, files: true }
    const body = { workspace: { name: 'Like it', team_id: world.team_id, source } }
    const { id: workspace_id } = await world.alice.call(api.workspaces.create, { body })
    const [taken] = await world.alice.call(api.files.search, { query: { workspace_id, q: 'note' } })
    const at = { params: { file_id: taken?.id ?? 0 }, query: { workspace_id } }
    expect(await world.alice.statusOf(api.downloads.getFile, at)).toBe(200)
    await world.alice.call(api.documents.retry, { body: { ...query(), file_ids: [id] } })
    await readDocuments(service)
    expect((await facts(id)).infected).toBe(true)
    expect(await world.alice.statusOf(api.downloads.getFile, at)).toBe(422)
  })

  it('E8: malware in a new version is found, and a clean version after it is clean', async () => {
    const id = await upload(cleanPdf())
    await readDocuments(service)
    await upload(infectedPdf())
    await readDocuments(service)
    expect(await facts(id)).toMatchObject({ infected: true, status: 'Failed' })
    await upload(cleanPdf())
    await readDocuments(service)
    expect(await facts(id)).toEqual({ infected: false, status: 'Ready', reason: '', url: true })
  })

  it('E8: an unavailable scanner stops delivery, is reported and is asked again', async () => {
    const id = await upload(cleanPdf())
    await away()
    expect(await facts(id)).toMatchObject({ infected: null, url: false })
    expect(await download(id)).toBe(409)
    const [waiting] = await world.alice.call(api.documents.list, { query: query() })
    expect(waiting).toMatchObject({ status: 'Pending', reason: 'The malware scanner does not answer.', attempts: 1 })
    await sql`update jobs set run_at = now()`.execute(service.services.db)
    await readDocuments(service)
    expect(await facts(id)).toEqual({ infected: false, status: 'Ready', reason: '', url: true })
  })

  it('E8: a file larger than the scanner accepts does not count as clean', async () => {
    const id = await upload(new Uint8Array(samplePdf([{ content: `% ${'x'.repeat(CLAMD_MAX_BYTES)}\n` }])))
    await readDocuments(service)
    expect(await facts(id)).toMatchObject({ infected: null, status: 'Failed', url: false })
    expect(await download(id)).toBe(409)
  })

  it('a file from before scanning was required is held until it is scanned', async () => {
    const { db } = service.services
    const id = await upload(cleanPdf())
    await applyScanPolicy(db, { isScanned: false, isRequired: false })
    expect(await download(id)).toBe(200)
    await readDocuments(service, { clamdUrl: undefined, scanRequired: false })
    expect(await facts(id)).toEqual({ infected: null, status: 'Ready', reason: '', url: true })

    await applyScanPolicy(db, { isScanned: true, isRequired: true })
    expect([await facts(id), await download(id)]).toEqual([
      { infected: null, status: 'Pending', reason: '', url: false },
      409,
    ])
    await sql`update jobs set run_at = now()`.execute(db)
    await readDocuments(service)
    expect(await facts(id)).toEqual({ infected: false, status: 'Ready', reason: '', url: true })
    expect(await download(id)).toBe(200)
  })

  it('a damaged document keeps its reason when it is found clean', async () => {
    const id = await upload('%PDF-1.7 and nothing more')
    await readDocuments(service, { clamdUrl: 'unix:/nowhere/clamd.sock', scanRequired: false })
    const reason = 'The document is damaged and cannot be read.'
    expect(await facts(id)).toEqual({ infected: null, status: 'Failed', reason, url: false })
    await sql`update jobs set run_at = now()`.execute(service.services.db)
    await readDocuments(service)
    expect(await facts(id)).toEqual({ infected: false, status: 'Failed', reason, url: false })
  })

  it('if scanning is optional, pages are shown while the scanner is unavailable, and it is asked again', async () => {
    const id = await upload(cleanPdf())
    await applyScanPolicy(service.services.db, { isScanned: true, isRequired: false })
    await readDocuments(service, { clamdUrl: 'unix:/nowhere/clamd.sock', scanRequired: false })
    expect(await facts(id)).toEqual({ infected: null, status: 'Ready', reason: '', url: true })
    await sql`update jobs set run_at = now()`.execute(service.services.db)
    await readDocuments(service, { scanRequired: false })
    expect(await facts(id)).toEqual({ infected: false, status: 'Ready', reason: '', url: true })
  })
})
