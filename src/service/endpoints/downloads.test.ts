import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { withoutNumber } from '../../contract/outline/outline.ts'
import type { Numbering } from '../../contract/endpoints/workspaces.ts'
import { sweepDownloads } from '../store/downloads/downloads.ts'
import { runJobs } from '../testing/jobs.ts'
import { checkBytesWithPython, readZip } from '../testing/documents/read-zip.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

/** Generous, because a busy machine may delay what usually takes a moment. */
const PATIENCE = { timeout: 20_000, interval: 50 }

let service: TestService
let world: World
let room: Room
let finance: number
let contracts: number
let plan: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  room = await createRoom(world)
  finance = await room.folder('Finance')
  contracts = await room.folder('Contracts', finance)
  plan = (await room.upload(world.alice, finance, 'plan.txt', 'the plan')).id
  await room.upload(world.alice, contracts, 'deed.txt', 'the deed')
})

const { downloads } = api
type Picked = { folder_ids?: number[]; file_ids?: number[] }

const bodyOf = (download: Picked) => ({ body: { workspace_id: room.workspace_id, download } })
const create = (person: Person, picked: Picked) => person.call(downloads.create, bodyOf(picked))
const byId = (id: number) => ({ params: { id }, query: { workspace_id: room.workspace_id } })

/** Returns the address of the finished zip at the service: its public host is the proxy's, and no proxy runs here. */
async function urlFor(person: Person, id: number): Promise<string> {
  await runJobs(service)
  return service.url + new URL((await person.call(downloads.get, byId(id))).expiring_url).pathname
}

async function zipFor(person: Person, picked: Picked): Promise<Buffer> {
  const response = await fetch(await urlFor(person, (await create(person, picked)).id))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const contentOf = async (person: Person, picked: Picked) => {
  const { 'MANIFEST.csv': manifest = '', ...files } = readZip(await zipFor(person, picked))
  return { files, manifest: manifest.replace('\ufeff', '').trimEnd().split('\r\n').slice(1) }
}

const setGroup = (key: 'setDrm' | 'setWatermarking', on: boolean) =>
  key === 'setDrm'
    ? world.alice.call(api.groups.setDrm, {
        params: { id: room.group_id },
        body: { workspace_id: room.workspace_id, group: { drm_enabled: on } },
      })
    : world.alice.call(api.groups.setWatermarking, {
        params: { id: room.group_id },
        body: { workspace_id: room.workspace_id, group: { watermarking: on } },
      })

describe('requesting a download', () => {
  it('returns its facts, and the status follows', async () => {
    const made = await create(world.alice, { folder_ids: [finance], file_ids: [plan] })
    expect(made).toMatchObject({
      user_id: world.alice.id,
      folder_ids: [finance],
      file_ids: [plan],
      status: 'building_directory',
      size: null,
      left_out: null,
    })
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBeGreaterThan(6.9 * 86_400_000)
    const early = await world.alice.refused(downloads.get, byId(made.id))
    expect([early.code, early.message]).toEqual([409, 'This download is not done yet: building_directory.'])
    await runJobs(service)
    const [listed] = await listOf(world.alice)
    expect(listed).toMatchObject({ id: made.id, status: 'done', size: expect.stringMatching(/^\d+$/) })
  })

  it('K102: is refused, and leaves nothing, after as many files as three large workspaces have', async () => {
    await service.services.db.deleteFrom('mail_budgets').execute()
    await create(world.alice, { folder_ids: [finance] })
    await service.services.db.updateTable('mail_budgets').set({ count: 300_000 }).execute()
    const before = [await room.messages(), await listOf(world.alice)]
    const body = { workspace_id: room.workspace_id, download: { folder_ids: [finance] } }
    const refusal = await world.alice.refused(downloads.create, { body })
    expect(refusal).toMatchObject({ code: 429, reason: 'too_many_downloads' })
    expect([await room.messages(), await listOf(world.alice)]).toEqual(before)
    await service.services.db.deleteFrom('mail_budgets').execute()
  })

  it('is recorded for each selected folder and each file in it', async () => {
    await create(world.alice, { folder_ids: [finance] })
    expect((await room.messages()).slice(0, 3).toReversed()).toEqual([
      'downloaded the folder: Finance',
      'downloaded the file: deed.txt',
      'downloaded the file: plan.txt',
    ])
  })

  it.each<[string, () => Picked, number]>([
    ['nothing', () => ({}), 422],
    ['a folder that is not there', () => ({ folder_ids: [finance, 999_999] }), 404],
    ['a file that is not there', () => ({ file_ids: [999_999], folder_ids: [finance] }), 404],
  ])('of %s is refused', async (_, picked, status) => {
    expect(await world.alice.statusOf(downloads.create, bodyOf(picked()))).toBe(status)
    expect(await listOf(world.alice)).toEqual([])
  })

  it('B6: requires the right to download every selected item', async () => {
    const statusOf = (picked: Picked) => world.bob.statusOf(downloads.create, bodyOf(picked))
    expect(await statusOf({ folder_ids: [finance] })).toBe(404)
    await room.grant(contracts, 'view')
    expect([await statusOf({ folder_ids: [finance] }), await statusOf({ file_ids: [plan] })]).toEqual([403, 404])
    await room.grant(contracts, 'download')
    expect(await statusOf({ folder_ids: [contracts] })).toBe(201)
    expect(await statusOf({ folder_ids: [contracts, finance] })).toBe(403)
    await room.grant(finance, 'view')
    expect(await statusOf({ folder_ids: [contracts], file_ids: [plan] })).toBe(403)
  })

  it('of an infected file is refused', async () => {
    await setInfected(plan)
    expect(await world.alice.statusOf(downloads.create, bodyOf({ file_ids: [plan] }))).toBe(422)
  })
})

const listOf = async (person: Person): Promise<Reply<typeof downloads.listStatus>['downloads']> =>
  (await person.call(downloads.listStatus, { params: { workspace_id: room.workspace_id } })).downloads
const setInfected = (id: number) =>
  service.services.db.updateTable('files').set({ infected: true }).where('id', '=', id).execute()

describe('the zip', () => {
  it('has folders and files in the order of the room, with their index numbers', async () => {
    const empty = await room.folder('Empty', finance)
    await room.upload(world.alice, finance, 'budget.txt', 'the budget')
    expect(empty).toBeGreaterThan(0)
    const zip = await zipFor(world.alice, { folder_ids: [finance] })
    expect(Object.keys(readZip(zip))).toEqual([
      '1 Finance/',
      '1 Finance/1.1 Contracts/',
      '1 Finance/1.1 Contracts/1.1.1 deed.txt',
      '1 Finance/1.2 Empty/',
      '1 Finance/1.3 plan.txt',
      '1 Finance/1.4 budget.txt',
      'MANIFEST.csv',
    ])
    expect((await checkBytesWithPython(zip)) ?? { broken: null }).toMatchObject({ broken: null })
  })

  it('begins at the selected folder and includes a nested selected folder once', async () => {
    expect((await contentOf(world.alice, { folder_ids: [contracts] })).files).toEqual({
      '1.1 Contracts/': '',
      '1.1 Contracts/1.1.1 deed.txt': 'the deed',
    })
    const both = await contentOf(world.alice, { folder_ids: [contracts, finance], file_ids: [plan] })
    expect(Object.keys(both.files)).toHaveLength(4)
  })

  it('has loose files at the top, numbered if a name is taken', async () => {
    const other = (await room.upload(world.alice, contracts, 'plan.txt', 'another')).id
    expect((await contentOf(world.alice, { file_ids: [other, plan] })).files).toEqual({
      'plan.txt': 'another',
      'plan (2).txt': 'the plan',
    })
  })

  it('of the root contains everything', async () => {
    await room.upload(world.alice, 0, 'index.txt', 'the index')
    const { files } = await contentOf(world.alice, { folder_ids: [0] })
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['2 index.txt', '1 Finance/1.2 plan.txt']))
  })

  it('keeps what was requested, whatever is uploaded or renamed later', async () => {
    const { id } = await create(world.alice, { folder_ids: [finance] })
    await room.upload(world.alice, finance, 'plan.txt', 'a newer plan')
    await room.upload(world.alice, finance, 'late.txt', 'too late')
    const body = { workspace_id: room.workspace_id, folder: { name: 'Renamed' } }
    await world.alice.call(api.folders.update, { params: { id: finance }, body })
    const files = readZip(new Uint8Array(await (await fetch(await urlFor(world.alice, id))).arrayBuffer()))
    expect(files['1 Finance/1.2 plan.txt']).toBe('the plan')
    expect(Object.keys(files)).toHaveLength(5)
  })

  it('I5: lists size and SHA-256 in a manifest without formulas', async () => {
    const formula = (await room.upload(world.alice, contracts, '=cmd|x "y".txt', 'sum')).id
    const { manifest } = await contentOf(world.alice, { file_ids: [formula, plan] })
    expect(manifest).toEqual([
      expect.stringMatching(/^"'=cmd_x _y_\.txt","3","[0-9a-f]{64}","yes",""$/),
      expect.stringMatching(/^"plan\.txt","8","[0-9a-f]{64}","yes",""$/),
    ])
  })

  it('H5: unpacks names with path traversal inside its own folder', async () => {
    const evil = await room.folder('..\\..\\evil', finance)
    await room.upload(world.alice, evil, 'CON', 'device')
    const names = Object.keys((await contentOf(world.alice, { folder_ids: [finance] })).files)
    expect(names).toContain('1 Finance/1.2 .._.._evil/1.2.1 CON')
    expect(names.filter((name) => /(^|\/)\.\.?(\/|$)|\\|^\//.test(name))).toEqual([])
  })
})

describe('an item left out', () => {
  beforeEach(() => room.grant(finance, 'download'))

  it('is listed with the reason if the user may view it', async () => {
    await room.revoke(contracts, 'download')
    await setInfected((await room.upload(world.alice, finance, 'virus.txt', 'x')).id)
    const { files, manifest } = await contentOf(world.bob, { folder_ids: [finance] })
    expect(Object.keys(files)).toEqual(['1 Finance/', '1 Finance/1.2 plan.txt'])
    expect(manifest.filter((line) => line.includes('"no"'))).toEqual([
      '"1 Finance/1.1 Contracts/","","","no","you may view this folder but not download from it"',
      expect.stringMatching(/^"1 Finance\/1\.3 virus\.txt","1","","no","infected"$/),
    ])
    const params = { workspace_id: room.workspace_id }
    const { downloads } = await world.bob.call(api.downloads.listStatus, { params })
    expect(downloads[0]).toMatchObject({ status: 'done', left_out: 2 })
  })

  it('H7, D1: is not listed at all if the user may not view it', async () => {
    await room.revoke(contracts, 'view')
    const { files, manifest } = await contentOf(world.bob, { folder_ids: [finance] })
    expect(JSON.stringify([files, manifest])).not.toMatch(/Contracts|deed/)
  })

  it('K70: leaves no gap in the numbers of a workspace that numbers for each reader, and one in another', async () => {
    await room.revoke(contracts, 'view')
    const namesFor = async (numbering: Numbering) => {
      const params = { id: room.workspace_id }
      await world.alice.call(api.workspaces.update, { params, body: { workspace: { numbering } } })
      return Object.keys((await contentOf(world.bob, { folder_ids: [finance] })).files)
    }
    expect(await namesFor('per_reader')).toEqual(['1 Finance/', '1 Finance/1.1 plan.txt'])
    expect(await namesFor('fixed')).toEqual(['1 Finance/', '1 Finance/1.2 plan.txt'])
  })

  it.each([
    ['1.2.1 Deed.txt', '1.2.1 Deed.txt'],
    ['01.02.01_Deed.txt', '1.2.1 Deed.txt'],
    ['01 - Deed.txt', '1.2.1 Deed.txt'],
    ['1. Deed.txt', '1.2.1 Deed.txt'],
    ['1 Deed.txt', '1.2.1 1 Deed.txt'],
    ['1.2 Deed.txt', '1.2.1 Deed.txt'],
    ['1.7 Deed.txt', '1.2.1 1.7 Deed.txt'],
    ['2024 Deed.txt', '1.2.1 2024 Deed.txt'],
    ['1.2.1', '1.2.1 1.2.1'],
  ])('has the number of %s only once', async (title, entry) => {
    const folder = await room.folder('1.2 Old numbers', finance)
    const { id } = await room.upload(world.alice, folder, title, 'x')
    const { number_length } = await world.alice.call(api.files.get, byId(id))
    const { files } = await contentOf(world.alice, { folder_ids: [folder] })
    expect(Object.keys(files)).toEqual(['1.2 Old numbers/', `1.2 Old numbers/${entry}`])
    expect(`1.2.1 ${withoutNumber(title, '1.2.1', number_length)}`).toBe(entry)
  })

  it.each([
    ['setWatermarking', 'delivered with a watermark only, and cannot have one'],
    ['setDrm', 'delivered sealed only, and cannot be sealed'],
  ] as const)(
    'delays the zip while its protection is not prepared (%s), and is left out after a day',
    async (key, words) => {
      await setGroup(key, true)
      const { id } = await create(world.bob, { folder_ids: [contracts], file_ids: [plan] })
      await runJobs(service)
      expect(await world.bob.statusOf(downloads.get, byId(id))).toBe(409)
      await sql`update downloads set created_at = created_at - interval '1 day' where id = ${id}`.execute(
        service.services.db,
      )
      await sql`update jobs set run_at = now()`.execute(service.services.db)
      const bytes = await fetch(await urlFor(world.bob, id))
      const { 'MANIFEST.csv': manifest = '', ...files } = readZip(Buffer.from(await bytes.arrayBuffer()))
      expect(files).toEqual({ '1.1 Contracts/': '' })
      expect(manifest.match(new RegExp(`"no","${words}: .* in time\\."`, 'g'))).toHaveLength(2)
    },
  )
})

describe('fetching the zip', () => {
  it('returns its exact length and resumes with identical bytes', async () => {
    const url = await urlFor(world.alice, (await create(world.alice, { folder_ids: [finance] })).id)
    const head = await fetch(url, { method: 'HEAD' })
    const whole = await fetch(url)
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
    expect([head.headers.get('etag'), etag]).toEqual([etag, expect.stringMatching(/^"[\w-]+"$/)])
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename=Room.zip')
    for (const from of [0, 1, 60, 100, 200, bytes.length - 1]) {
      const rest = await fetch(url, { headers: { range: `bytes=${from}-`, 'if-range': etag } })
      expect(rest.status).toBe(206)
      expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(from))).toBe(true)
    }
    expect((await fetch(url, { headers: { range: 'bytes=5-', 'if-range': '"other"' } })).status).toBe(200)
    expect((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
  })

  it('H2: requires every right it was made with', async () => {
    await room.grant(finance, 'download')
    const url = await urlFor(world.bob, (await create(world.bob, { folder_ids: [finance] })).id)
    const status = async () => {
      const response = await fetch(url)
      await response.arrayBuffer()
      return response.status
    }
    expect(await status()).toBe(200)
    await room.revoke(contracts, 'download')
    expect(await status()).toBe(404)
    await room.grant(contracts, 'download')
    await setGroup('setDrm', true)
    expect(await status()).toBe(404)
    await setGroup('setDrm', false)
    expect(await status()).toBe(200)
    await world.alice.call(api.files.remove, byId(plan))
    expect(await status()).toBe(404)
  })

  it('H2, C9: breaks off when a right is revoked during the transfer', async () => {
    await room.grant(finance, 'download')
    await room.upload(world.alice, finance, 'large.bin', new Uint8Array(randomBytes(64 * 1024 * 1024)))
    const url = await urlFor(world.bob, (await create(world.bob, { folder_ids: [finance] })).id)
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    await once(response, 'readable')
    await room.revoke(contracts, 'download')
    const received = new Promise<number>((resolve, reject) => {
      let size = 0
      response.on('data', (chunk: Buffer) => (size += chunk.length))
      response.on('end', () => resolve(size)).on('error', reject)
    })
    await expect(received).rejects.toThrow('aborted')
    expect(response.complete).toBe(false)
  })
})

describe('slow readers', () => {
  const SIZE = 16 * 1024 * 1024
  const READERS = 20
  /** Number of content files that this process has open; the service runs in it. */
  const openFiles = async (): Promise<number> => {
    const targets = await Promise.all(
      (await readdir('/proc/self/fd')).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
    )
    return targets.filter((target) => target.startsWith(join(service.config.dataDir, 'blobs'))).length
  }
  /** Bytes in use outside of the heap, without garbage. */
  const buffered = (): number => {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    return process.memoryUsage().external
  }

  it.runIf(process.platform === 'linux' && inject('swift') === undefined)(
    'H6: of many zips use little memory, and leave no file open when they disconnect',
    async () => {
      await room.upload(world.alice, finance, 'large.bin', new Uint8Array(randomBytes(SIZE)))
      const url = await urlFor(world.alice, (await create(world.alice, { folder_ids: [finance] })).id)
      const before = buffered()
      const responses = await Promise.all(
        Array.from(
          { length: READERS },
          async () => ((await once(get(url, { agent: false }), 'response')) as [IncomingMessage])[0],
        ),
      )
      // Each reader takes the first bytes and then stops reading.
      await Promise.all(responses.map((response) => once(response, 'readable')))
      await vi.waitFor(async () => expect(await openFiles()).toBeGreaterThanOrEqual(READERS), PATIENCE)
      expect(buffered() - before).toBeLessThan((READERS * SIZE) / 4)

      for (const response of responses) response.destroy()
      await vi.waitFor(async () => expect(await openFiles()).toBe(0), PATIENCE)
    },
  )
})

describe('the URL of a finished download', () => {
  const askFor = (person: Person, id: number) => person.statusOf(downloads.get, byId(id))
  const made = async (picked: Picked) => {
    await room.grant(finance, 'download')
    const { id } = await create(world.bob, picked)
    await runJobs(service)
    expect(await askFor(world.bob, id)).toBe(200)
    return id
  }

  it('is refused with 403 while a right on a folder or loose file is missing', async () => {
    const ids = [await made({ folder_ids: [finance] }), await made({ file_ids: [plan] })]
    await room.revoke(finance, 'download')
    for (const id of ids) expect(await askFor(world.bob, id)).toBe(403)
    await room.revoke(finance, 'view')
    for (const id of ids) expect(await askFor(world.bob, id)).toBe(403)
    await room.grant(finance, 'download')
    for (const id of ids) expect(await askFor(world.bob, id)).toBe(200)
  })

  it('is refused with 403 for a file that was moved to a folder without the right', async () => {
    const id = await made({ folder_ids: [finance] })
    const body = { workspace_id: room.workspace_id, destination_folder_id: await room.folder('Secret') }
    await world.alice.call(api.files.move, { params: { id: plan }, body })
    expect(await askFor(world.bob, id)).toBe(403)
  })

  it.each(['file', 'folder'])('is refused with 409 when a %s in it was deleted, even to admins', async (what) => {
    const id = await made({ folder_ids: [finance] })
    const own = await create(world.alice, { folder_ids: [finance] })
    await runJobs(service)
    if (what === 'file') await world.alice.call(api.files.remove, byId(plan))
    else await world.alice.call(api.folders.remove, byId(contracts))
    expect(await askFor(world.bob, id)).toBe(409)
    expect(await askFor(world.alice, own.id)).toBe(409)
  })

  it.each(['setDrm', 'setWatermarking'] as const)(
    'is refused with 409 when %s was set after it was made',
    async (protection) => {
      const id = await made({ folder_ids: [finance] })
      await setGroup(protection, true)
      expect(await askFor(world.bob, id)).toBe(409)
      await setGroup(protection, false)
      expect(await askFor(world.bob, id)).toBe(200)
    },
  )

  it('is refused with 409 when its version was found infected, whatever the current version is', async () => {
    const id = await made({ folder_ids: [finance] })
    await room.upload(world.alice, finance, 'plan.txt', 'a clean one')
    expect(await askFor(world.bob, id)).toBe(200)
    const { db } = service.services
    const first = db.selectFrom('file_versions').select('blob_id').where('file_id', '=', plan).where('version', '=', 1)
    await db.updateTable('documents').set({ infected: true }).where('blob_id', 'in', first).execute()
    expect(await askFor(world.bob, id)).toBe(409)
  })

  it('is refused with 403 from the day on which the access of the group ends', async () => {
    const id = await made({ folder_ids: [finance] })
    const body = { workspace_id: room.workspace_id, group: { expire_workspace_access_at: '2199-01-01' } }
    await world.alice.call(api.groups.setAccessExpiry, { params: { id: room.group_id }, body })
    await service.services.db
      .updateTable('groups')
      .set({ expire_workspace_access_at: '2020-01-01' })
      .where('id', '=', room.group_id)
      .execute()
    expect(await askFor(world.bob, id)).toBe(403)
  })

  it('is refused to a user who left the workspace', async () => {
    const id = await made({ folder_ids: [finance] })
    const query = { workspace_id: room.workspace_id, user_id: world.bob.id }
    await world.alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await askFor(world.bob, id)).toBe(404)
  })
})

describe('a download', () => {
  it('H4: belongs to its user alone; even admins cannot reach it', async () => {
    await room.grant(finance, 'download')
    const { id } = await create(world.bob, { folder_ids: [finance] })
    await runJobs(service)
    expect(await world.alice.statusOf(downloads.get, byId(id))).toBe(404)
    expect(await world.alice.statusOf(downloads.remove, byId(id))).toBe(404)
    expect(await listOf(world.alice)).toEqual([])
    expect((await listOf(world.bob)).map((each) => each.id)).toEqual([id])
  })

  it('H4: is gone when it is deleted, and its URL too', async () => {
    const { id } = await create(world.alice, { folder_ids: [finance] })
    const url = await urlFor(world.alice, id)
    expect(await world.alice.call(downloads.remove, byId(id))).toEqual({ id, status: 'deleted' })
    expect((await fetch(url)).status).toBe(404)
    expect(await world.alice.statusOf(downloads.get, byId(id))).toBe(404)
    expect(await listOf(world.alice)).toEqual([])
  })

  it('can be deleted safely before it is made', async () => {
    const { id } = await create(world.alice, { folder_ids: [finance] })
    await world.alice.call(downloads.remove, byId(id))
    await runJobs(service)
    expect(await service.services.db.selectFrom('jobs').where('kind', '=', 'zip').selectAll().execute()).toEqual([])
  })

  it('H4: expires after seven days, and its list of files is removed', async () => {
    const { id } = await create(world.alice, { folder_ids: [finance] })
    await runJobs(service)
    const later = new Date(Date.now() + 7 * 86_400_000)
    service.setClock(later)
    const response = await world.alice.fetch(
      `/api/v1/downloads/${id}?workspace_id=${room.workspace_id}`,
      {},
      later.getTime(),
    )
    expect(response.status).toBe(409)
    service.setClock(undefined)
    expect(await sweepDownloads(service.services.db, later)).toBeGreaterThan(0)
    expect((await listOf(world.alice)).map((each) => each.status)).toEqual(['expired'])
    const left = await service.services.db
      .selectFrom('download_members')
      .select('position')
      .where('workspace_id', '=', room.workspace_id)
      .execute()
    expect(left).toEqual([])
  })

  it('fails when no job is working on it any more', async () => {
    await create(world.alice, { folder_ids: [finance] })
    await sweepDownloads(service.services.db, new Date())
    expect((await listOf(world.alice)).map((each) => each.status)).toEqual(['building_directory'])
    await service.services.db.updateTable('jobs').set({ parked_at: new Date() }).execute()
    await sweepDownloads(service.services.db, new Date())
    expect((await listOf(world.alice)).map((each) => each.status)).toEqual(['failed'])
  })
})
