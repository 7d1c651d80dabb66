import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { sql } from 'kysely'
import sharp from 'sharp'
import { requestOf } from '../../client/request.ts'
import { api } from '../../contract/index.ts'
import { judgeOpening } from '../access/judge-opening.ts'
import { recallActor } from '../auth/recall-actor.ts'
import { findOpenableCopy } from '../store/downloads/sealed-copies.ts'
import { buildDownload } from '../documents/zip/build-download.ts'
import type { PageImages } from '../documents/pages/page-images.ts'
import { createOverlays } from '../documents/watermark/plan/overlay.ts'
import { createLanes } from '../jobs/lanes.ts'
import { type Runners, runNextJob } from '../jobs/run.ts'
import { purgeTrash } from '../store/trash/trash.ts'
import { createKeyRequest, type KeyRequest, type Released } from '../../reader/crypto.ts'
import { type Envelope, openFile } from '../../reader/sealed-file.ts'
import type { Bytes } from '../testing/client.ts'
import { readDocuments, runJobs } from '../testing/jobs.ts'
import { readZip } from '../testing/documents/read-zip.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { insertCopy } from '../testing/documents/sealed-copy.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const { sealedCopies } = api

let service: TestService
let world: World
/** A room with a file that has been read, shared because reading takes long. */
let shared: { room: Room; folder: number; file: number }
let room: Room
let folder: number
let file: number
let html: string
let copy: string

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  shared = await createSealedRoom(new Uint8Array(samplePdf([{}, {}])))
  await readDocuments(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  service.setClock(undefined)
  ;({ room, folder, file } = shared)
  html = (await sealed(world.bob, [file]))['plan.pdf.sealed.html'] ?? ''
  copy = envelope().copy_id
})

async function createSealedRoom(content?: Bytes) {
  room = await createRoom(world)
  folder = await room.folder('Finance')
  await room.grant(folder, 'download')
  await setDrm(true)
  file = (await room.upload(world.alice, folder, 'plan.pdf', content)).id
  return { room, folder, file }
}

async function setDrm(drm_enabled: boolean, drm_expires_after?: string): Promise<void> {
  const group = { drm_enabled, ...(drm_expires_after && { drm_expires_after }) }
  const params = { id: room.group_id }
  await world.alice.call(api.groups.setDrm, { params, body: { workspace_id: room.workspace_id, group } })
}

async function sealed(person: Person, file_ids: number[]): Promise<Record<string, string>> {
  const { expiring_url } = await delivered(person, file_ids, false)
  return readZip(Buffer.from(await (await fetchUrl(expiring_url)).arrayBuffer()))
}

async function delivered(person: Person, file_ids: number[], single: boolean) {
  const body = { workspace_id: room.workspace_id, download: { folder_ids: [], file_ids } }
  const { id } = await person.call(api.downloads.create, { body })
  await runJobs(service)
  return person.call(api.downloads.get, { params: { id }, query: { workspace_id: room.workspace_id, single } })
}

const fetchUrl = (url: string, init?: RequestInit) => fetch(service.url + new URL(url).pathname, init)

const envelope = () => JSON.parse(/id="envelope">([^<]*)</.exec(html)?.[1] ?? '{}') as Envelope
const partOf = (part: number) => new RegExp(`data-part="${part}">([^<]*)<`).exec(html)?.[1]

async function ask(body: unknown): Promise<{ status: number; body: Released & Record<string, string> }> {
  const response = await fetch(`${service.url}/sealed/key`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as never }
}

it('K3: a request for a key is limited to 4 KiB', async () => {
  expect((await ask({ action: 'x'.repeat(4000) })).status).toBe(400)
  expect((await ask({ action: 'x'.repeat(4096) })).status).toBe(413)
})

const redemption = ({ verifier, publicKey }: KeyRequest, code?: string) => ({
  action: 'redeem',
  copy_id: copy,
  verifier,
  public_key: publicKey,
  ...(code !== undefined && { code }),
})

const release = (person: Person, { challenge }: KeyRequest) =>
  person.call(sealedCopies.open, { params: { copy_id: copy }, body: { workspace_id: room.workspace_id, challenge } })

/** Enters the code that a waiting reader shows at the dashboard. */
const enter = (person: Person, { challenge }: KeyRequest, user_code: string) =>
  person.call(sealedCopies.open, {
    params: { copy_id: copy },
    body: { workspace_id: room.workspace_id, challenge, user_code },
  })

const begin = (person: Person) => person.call(api.sessions.create, { body: { method: 'code', user_agent: '' } })

/** Releases the key as the dashboard does: in a new session. */
async function inSession(person: Person, { challenge }: KeyRequest, user_code?: string) {
  const { id } = await begin(person)
  const body = { workspace_id: room.workspace_id, challenge, ...(user_code !== undefined && { user_code }) }
  const { path, init } = requestOf(sealedCopies.open, { params: { copy_id: copy }, body })
  const headers = { ...(init.headers as Record<string, string>), 'x-api-session': String(id) }
  const { code } = (await (await person.fetch(path, { ...init, headers })).json()) as { code: string }
  return { id, code }
}

/** Opens the copy as its reader does. */
async function open(person: Person) {
  const request = await createKeyRequest(copy)
  const { code } = await release(person, request)
  const { status, body } = await ask(redemption(request, code))
  expect([status, body['status']]).toEqual([200, 'released'])
  return openFile(envelope(), partOf, await request.unwrap(body))
}

/** The reason the copy does not open. */
async function refusal(person: Person): Promise<string | null> {
  return (await release(person, await createKeyRequest(copy))).refusal
}

describe('a sealed copy', () => {
  it('opens for its user, with their mark on every page', async () => {
    const { facts, page } = await open(world.bob)
    expect(facts).toMatchObject({ title: 'plan.pdf', reader: 'Bob Tester', workspace: 'Room' })
    for (const [index, size] of facts.pages.entries()) {
      const image = Buffer.from(await (await page(index + 1)).arrayBuffer())
      const { width, height, format } = await sharp(image).metadata()
      expect({ width, height, format }).toEqual({ ...size, format: 'webp' })
      // The sample has black text on white, so mid-grey pixels over much of the page are the mark.
      const { data } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
      expect(data.filter((value) => value > 60 && value < 250).length / data.length).toBeGreaterThan(0.01)
    }
    const [newest] = await room.messages()
    expect(newest).toBe('opened the sealed file: plan.pdf')
  })

  it('is a new one at every download', async () => {
    const before = copy
    html = (await sealed(world.bob, [file]))['plan.pdf.sealed.html'] ?? ''
    expect(envelope().copy_id).not.toBe(before)
  })

  it('opens for no other user, whatever their rights', async () => {
    expect(await refusal(world.alice)).toBe('other_person')
    expect(await refusal(world.wendy).catch(() => 'not a member')).toBe('not a member')
    const call = { params: { copy_id: copy }, body: { workspace_id: room.workspace_id, challenge: 'A'.repeat(43) } }
    expect(await world.mallory.statusOf(sealedCopies.open, call)).toBe(404)
    const elsewhere = { ...call, body: { ...call.body, workspace_id: world.workspace_id } }
    expect(await world.bob.statusOf(sealedCopies.open, elsewhere)).toBe(404)
  })

  it('is delivered without a zip if that is asked for and it is the only one', async () => {
    const { expiring_url, file_name } = await delivered(world.bob, [file], true)
    expect(file_name).toBe('plan.pdf.sealed.html')
    const response = await fetchUrl(expiring_url)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'content-disposition': 'attachment; filename=plan.pdf.sealed.html',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    html = await response.text()
    copy = envelope().copy_id
    const { facts } = await open(world.bob)
    expect(facts.title).toBe('plan.pdf')
    const rest = await fetchUrl(expiring_url, { headers: { range: 'bytes=100-' } })
    expect([rest.status, await rest.text()]).toEqual([206, Buffer.from(html).subarray(100).toString()])
    const other = (await room.upload(world.alice, folder, 'other.pdf', new Uint8Array(samplePdf([{}])))).id
    await readDocuments(service)
    expect((await delivered(world.bob, [file, other], true)).file_name).toMatch(/\.zip$/)
    await world.alice.call(api.files.remove, { params: { id: other }, query: { workspace_id: room.workspace_id } })
  })

  it('K49: is not delivered without a zip after the right was lost', async () => {
    const { expiring_url } = await delivered(world.bob, [file], true)
    await room.revoke(folder, 'download')
    expect((await fetchUrl(expiring_url)).status).toBe(404)
    await room.grant(folder, 'download')
    expect((await fetchUrl(expiring_url)).status).toBe(200)
  })

  it('K49: one file that could not be sealed is a zip with the reason', async () => {
    const plain = (await room.upload(world.alice, folder, 'data.bin', new Uint8Array([1, 2, 3]))).id
    await readDocuments(service)
    expect((await delivered(world.bob, [plain], true)).file_name).toMatch(/\.zip$/)
  })

  it('is what the abilities in a folder say, to its reader only', async () => {
    const query = { workspace_id: room.workspace_id }
    const abilities = async (person: Person) =>
      (await person.call(api.folders.get, { params: { id: folder }, query })).abilities
    expect((await abilities(world.bob)).sealed).toBe(true)
    expect((await abilities(world.alice)).sealed).toBe(false)
    await setDrm(false)
    expect((await abilities(world.bob)).sealed).toBe(false)
    await setDrm(true)
    await room.revoke(folder, 'download')
    expect((await abilities(world.bob)).sealed).toBe(false)
    await room.grant(folder, 'download')
    expect((await abilities(world.bob)).sealed).toBe(true)
  })

  it('is delivered only by POST /downloads, never as a single plain file', async () => {
    const call = { params: { file_id: file }, query: { workspace_id: room.workspace_id } }
    const refused = await world.bob.refused(api.downloads.getFile, call)
    expect([refused.code, refused.message]).toEqual([
      403,
      'This file is delivered sealed only: ask for it with POST /downloads.',
    ])
  })

  it('is not made of a file that cannot be shown', async () => {
    const broken = (await room.upload(world.alice, folder, 'broken.pdf', '%PDF-1.7 and nothing else')).id
    await readDocuments(service)
    const { 'MANIFEST.csv': manifest = '', ...files } = await sealed(world.bob, [file, broken])
    expect(Object.keys(files)).toEqual(['plan.pdf.sealed.html'])
    expect(manifest).toMatch(/"broken\.pdf",.*"no","delivered sealed only, and cannot be sealed: .+"/)
  })

  it('is left out with the reason if one of its pages cannot be drawn', async () => {
    const content = new Uint8Array(samplePdf([{ content: '0.5 g 0 0 100 100 re f' }]))
    const partial = (await room.upload(world.alice, folder, 'partial.pdf', content)).id
    await readDocuments(service)
    const { db } = service.services
    const { blob_id } = await db
      .selectFrom('files')
      .select('blob_id')
      .where('id', '=', partial)
      .executeTakeFirstOrThrow()
    const sizes = { page_widths: [1, 1], page_heights: [1, 1] }
    await db.updateTable('documents').set(sizes).where('blob_id', '=', blob_id).execute()
    const { 'MANIFEST.csv': manifest = '', ...files } = await sealed(world.bob, [file, partial])
    expect(Object.keys(files)).toEqual(['plan.pdf.sealed.html'])
    expect(manifest).toMatch(/"partial\.pdf",.*cannot be sealed: The document is damaged and cannot be read\./)
  })

  it('K12: has a hash in the manifest only for delivered bytes', async () => {
    const content = '%PDF-1.7 with a known hash'
    const broken = (await room.upload(world.alice, folder, 'known.pdf', content)).id
    await readDocuments(service)
    const { 'MANIFEST.csv': manifest = '', ...files } = await sealed(world.bob, [file, broken])
    const hashes = manifest.match(/[\da-f]{64}/g)
    expect(hashes).toEqual(Object.values(files).map((text) => createHash('sha256').update(text).digest('hex')))
  })
})

describe('the job that seals', () => {
  it('keeps its sealed copies when it runs again', async () => {
    const late = (await room.upload(world.alice, folder, 'late.pdf', new Uint8Array(samplePdf([{}])))).id
    const body = { workspace_id: room.workspace_id, download: { folder_ids: [], file_ids: [file, late] } }
    const { id } = await world.bob.call(api.downloads.create, { body })
    await runJobs(service)
    const [first] = await listCopies()
    expect(first).toMatchObject({ file_id: file })
    await readDocuments(service)
    await sql`update jobs set run_at = now() where kind = 'zip'`.execute(service.services.db)
    await runJobs(service)
    const [second, same] = await listCopies()
    expect([second?.file_id, same?.copy_id]).toEqual([late, first?.copy_id])
    const call = { params: { id }, query: { workspace_id: room.workspace_id } }
    expect((await world.bob.call(api.downloads.get, call)).file_name).toBe('Room.zip')
  })

  const TURN_MS = 300
  const askFor = async () => {
    const body = { workspace_id: room.workspace_id, download: { folder_ids: [], file_ids: [file] } }
    return world.bob.call(api.downloads.create, { body })
  }
  const jobs = async () => {
    const rows = await service.services.db.selectFrom('jobs').selectAll().where('kind', '=', 'zip').execute()
    return rows.map(({ heavy, error, attempts, put_back }) => ({ heavy, error, failures: attempts - put_back }))
  }

  /** Runs the next download as a worker with lanes would. */
  function runInLane(read: PageImages['read'], { heavy = false, stop }: { heavy?: boolean; stop?: AbortSignal } = {}) {
    const means = { ...service.services, overlays: createOverlays(), pages: { ...service.services.pages, read } }
    const runners = { zip: (key, turn) => buildDownload(means, key, turn) } as Runners
    const lanes = createLanes({ count: 1, turnMs: TURN_MS, heavy })
    return runNextJob(service.services.db, runners, { kinds: ['zip'], lanes, ...(stop && { stop }) })
  }

  it('K6: continues in the lane for long jobs when a file takes more than a short turn', async () => {
    const { id } = await askFor()
    const slow: PageImages['read'] = async (...page) => {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS + 50))
      return service.services.pages.read(...page)
    }
    // On a busy machine, a turn may end before its first file.
    for (let turns = 0; turns < 20 && (await runInLane(slow)); turns++);
    expect(await jobs()).toMatchObject([{ heavy: true, failures: 0 }])
    await runInLane(slow, { heavy: true })
    expect(await jobs()).toEqual([])
    const call = { params: { id }, query: { workspace_id: room.workspace_id } }
    expect((await world.bob.call(api.downloads.get, call)).file_name).toBe('Room.zip')
  })

  it.each([false, true])('stops drawing a page when the worker stops (long lane: %s)', async (heavy) => {
    await askFor()
    await sql`update jobs set heavy = ${heavy} where kind = 'zip'`.execute(service.services.db)
    const stop = new AbortController()
    const endless: PageImages['read'] = (_source, _page, _size, work) => {
      setImmediate(() => stop.abort())
      return new Promise((_, reject) =>
        work?.signal?.addEventListener('abort', () => reject(new Error('the work was given up'))),
      )
    }
    for (let turns = 0; turns < 20 && !stop.signal.aborted; turns++)
      await runInLane(endless, { heavy, stop: stop.signal })
    expect(await jobs()).toEqual([{ heavy, failures: 0, error: 'The worker stopped.' }])
    await runJobs(service)
  })

  it('leaves no key behind for a file that was purged', async () => {
    await createSealedRoom()
    const { workspace_id, group_id } = room
    copy = await insertCopy(service, { workspace_id, file_id: file, user_id: world.bob.id, group_ids: [group_id] })
    await world.alice.call(api.files.remove, { params: { id: file }, query: { workspace_id } })
    await purgeTrash(service.services.db, new Date(Date.now() + 31 * 86_400_000))
    expect(await listCopies()).toEqual([])
    expect((await ask(redemption(await createKeyRequest(copy)))).status).toBe(404)
  })
})

const listCopies = () => world.alice.call(sealedCopies.list, { query: { workspace_id: room.workspace_id } })

describe('the next opening', () => {
  beforeEach(async () => {
    await createSealedRoom()
    const { workspace_id, group_id } = room
    copy = await insertCopy(service, { workspace_id, file_id: file, user_id: world.bob.id, group_ids: [group_id] })
  })

  const by = {
    'revoking the copy': () => change('revoke'),
    'switching DRM off': () => setDrm(false),
    'revoking the right': () => room.revoke(folder, 'download'),
    'deleting the file': () =>
      world.alice.call(api.files.remove, { params: { id: file }, query: { workspace_id: room.workspace_id } }),
    'finding it infected': () =>
      service.services.db.updateTable('files').set({ infected: true }).where('id', '=', file).execute(),
    'removing the member from the workspace': () => removeFrom(room.group_id),
  }

  it.each([
    ['revoking the copy', 'revoked'],
    ['switching DRM off', 'drm_off'],
    ['revoking the right', 'no_right'],
    ['deleting the file', 'deleted'],
    ['finding it infected', 'infected'],
    ['removing the member from the workspace', 'not_member'],
  ] as const)('is refused after %s, and recorded', async (act, reason) => {
    expect(await refusal(world.bob)).toBeNull()
    await by[act]()
    expect(await refusal(world.bob)).toBe(reason)
    expect((await room.messages())[0]).toBe('was refused the sealed file: plan.pdf')
  })

  it('is allowed again when the obstacle is removed', async () => {
    await setDrm(false)
    expect(await refusal(world.bob)).toBe('drm_off')
    await setDrm(true)
    await change('revoke')
    expect(await refusal(world.bob)).toBe('revoked')
    await change('restore')
    expect(await refusal(world.bob)).toBeNull()
  })

  it('is refused from the day after the last day, and from the day on which access ends', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await setDrm(true, day(2))
    const { db } = service.services
    const at = async (now: string) => {
      const known = await findOpenableCopy(db, copy)
      if (!known) throw new Error('the copy is gone')
      const { organization_id } = known
      const who = { id: world.bob.id, organization_id, personal_key_id: null }
      const actor = await recallActor(db, who, { ip: '', now: new Date(now) })
      return actor && judgeOpening(db, actor, known)
    }
    expect(await at(`${day(2)}T23:59:59.999Z`)).toBeUndefined()
    expect(await at(`${day(3)}T00:00:00.000Z`)).toBe('drm_expired')
    const body = { workspace_id: room.workspace_id, group: { expire_workspace_access_at: day(1) } }
    await world.alice.call(api.groups.setAccessExpiry, { params: { id: room.group_id }, body })
    expect(await at(`${day(0)}T23:59:59.999Z`)).toBeUndefined()
    expect(await at(`${day(1)}T00:00:00.000Z`)).toBe('access_ended')
  })

  it('through another group is allowed only if the copy was made through it', async () => {
    const other = await room.group('Lenders')
    await room.grant(folder, 'download', other)
    await setDrm(false)
    expect(await refusal(world.bob)).toBe('drm_off')
    await removeFrom(room.group_id)
    expect(await refusal(world.bob)).toBe('no_right')
  })
})

describe('K7: a sealed file that its holder may not view', () => {
  beforeEach(async () => {
    await createSealedRoom()
    const { workspace_id, group_id } = room
    copy = await insertCopy(service, { workspace_id, file_id: file, user_id: world.alice.id, group_ids: [group_id] })
    await room.revoke(folder, 'view')
    const renamed = { workspace_id, file: { title: 'secret project.pdf' } }
    await world.alice.call(api.files.update, { params: { id: file }, body: renamed })
  })

  const actsOf = (person: Person, query: { subject_id?: number; verb?: string } = {}) =>
    person.call(api.activities.list, { params: { workspace_id: room.workspace_id }, query })

  it('K7: is named in none of the holder’s activities, by title or id', async () => {
    expect(await refusal(world.bob)).toBe('other_person')
    const { events } = await actsOf(world.bob)
    expect(events[0]).toMatchObject({ verb: 'refused', message: 'was refused a sealed file', subject_id: null })
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('K7: is not revealed by a filter on its id', async () => {
    await refusal(world.bob)
    for (const query of [{ subject_id: file }, { subject_id: file, verb: 'refused' }]) {
      const { events, pagination } = await actsOf(world.bob, query)
      expect([events, pagination.total_items]).toEqual([[], 0])
    }
  })

  it('K7: is still named for workspace admins', async () => {
    await refusal(world.bob)
    const { events } = await actsOf(world.alice, { subject_id: file, verb: 'refused' })
    expect(events[0]).toMatchObject({ message: 'was refused the sealed file: secret project.pdf', subject_id: file })
  })

  it('K7: is named again when the holder may view it', async () => {
    await refusal(world.bob)
    await room.grant(folder, 'view')
    const { events } = await actsOf(world.bob, { subject_id: file })
    expect(events[0]?.message).toBe('was refused the sealed file: secret project.pdf')
  })

  it('K7: is not named by the code of a waiting reader', async () => {
    const { workspace_id, group_id } = room
    copy = await insertCopy(service, { workspace_id, file_id: file, user_id: world.bob.id, group_ids: [group_id] })
    const request = await createKeyRequest(copy)
    const { body } = await ask({ action: 'ask', copy_id: copy, challenge: request.challenge })
    const query = { user_code: body['user_code'] ?? '' }
    expect(await world.bob.call(sealedCopies.request, { query })).toMatchObject({ copy_id: copy, title: '' })
    await room.grant(folder, 'view')
    expect(await world.bob.call(sealedCopies.request, { query })).toMatchObject({ title: 'secret project.pdf' })
  })

  it('K7: is refused with the same reason whether it exists, is deleted or infected', async () => {
    const { workspace_id, group_id } = room
    copy = await insertCopy(service, { workspace_id, file_id: file, user_id: world.bob.id, group_ids: [group_id] })
    const release = async () => refusal(world.bob)
    expect(await release()).toBe('no_right')
    await service.services.db.updateTable('files').set({ infected: true }).where('id', '=', file).execute()
    expect(await release()).toBe('no_right')
    await world.alice.call(api.files.remove, { params: { id: file }, query: { workspace_id } })
    expect(await release()).toBe('no_right')
  })
})

const change = (key: 'revoke' | 'restore') =>
  world.alice.call(sealedCopies[key], { params: { copy_id: copy }, body: { workspace_id: room.workspace_id } })

async function removeFrom(id: number): Promise<void> {
  const query = { workspace_id: room.workspace_id, user_id: world.bob.id }
  await world.alice.call(api.groups.removeMember, { params: { id }, query })
}

describe('a code', () => {
  it('works once, and only with the secrets its reader keeps', async () => {
    const request = await createKeyRequest(copy)
    const other = await createKeyRequest(copy)
    const { code } = await release(world.bob, request)
    expect((await ask(redemption(other, code))).status).toBe(403)
    expect((await ask({ ...redemption(request, code), verifier: other.verifier })).status).toBe(403)
    expect((await ask({ ...redemption(request, code), public_key: other.publicKey })).status).toBe(403)
    expect((await ask(redemption(request, code))).status).toBe(200)
    expect((await ask(redemption(request, code))).status).toBe(403)
  })

  it('allows one attempt', async () => {
    const request = await createKeyRequest(copy)
    const { code } = await release(world.bob, request)
    expect((await ask(redemption(request, 'A'.repeat(43)))).status).toBe(403)
    expect((await ask(redemption(request, code))).status).toBe(403)
    const again = await createKeyRequest(copy)
    await release(world.bob, again)
    expect((await ask(redemption(again))).status).toBe(403)
  })

  it('expires after a minute', async () => {
    const request = await createKeyRequest(copy)
    const { code } = await release(world.bob, request)
    service.setClock(new Date(Date.now() + 61_000))
    expect((await ask(redemption(request, code))).status).toBe(403)
  })

  it('does not work after the right is revoked', async () => {
    const request = await createKeyRequest(copy)
    const { code } = await release(world.bob, request)
    await change('revoke')
    expect((await ask(redemption(request, code))).status).toBe(403)
    await change('restore')
  })

  test('K18: ends with the session of its window, not with another one', async () => {
    for (const [ended, status] of [
      ['other', 200],
      ['own', 403],
    ] as const) {
      const request = await createKeyRequest(copy)
      const { id, code } = await inSession(world.bob, request)
      const other = await begin(world.bob)
      await world.bob.call(api.sessions.remove, { params: { id: ended === 'own' ? id : other.id } })
      expect((await ask(redemption(request, code))).status).toBe(status)
    }
  })

  it('does not work in a malformed request', async () => {
    const request = await createKeyRequest(copy)
    const good = redemption(request, 'A'.repeat(43))
    for (const body of [
      {},
      [],
      'x',
      { ...good, copy_id: '1' },
      { ...good, verifier: 1 },
      { ...good, action: 'give' },
    ]) {
      expect((await ask(body)).status).toBe(400)
    }
    const nowhere = { ...good, copy_id: 'b2830056-6d5f-49f3-940c-131c0d4ac4ad' }
    expect((await ask(nowhere)).status).toBe(404)
  })
})

describe('a reader without a window', () => {
  const wait = async () => {
    const request = await createKeyRequest(copy)
    const asked = await ask({ action: 'ask', copy_id: copy, challenge: request.challenge })
    return { request, user_code: asked.body['user_code'] ?? '' }
  }

  it('gets the key when the user of the copy has entered its code', async () => {
    const { request, user_code } = await wait()
    expect(user_code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    expect((await ask(redemption(request))).body['status']).toBe('pending')
    const found = await world.bob.call(sealedCopies.request, { query: { user_code: ` ${user_code.toLowerCase()} ` } })
    expect(found).toEqual({
      workspace_id: room.workspace_id,
      copy_id: copy,
      challenge: request.challenge,
      title: 'plan.pdf',
    })
    expect(await enter(world.bob, request, user_code)).toMatchObject({ opened: true, code: '' })
    const { body } = await ask(redemption(request))
    const { facts } = await openFile(envelope(), partOf, await request.unwrap(body))
    expect(facts.title).toBe('plan.pdf')
    expect((await ask(redemption(request))).status).toBe(403)
  })

  test('K18: gets no key from a window opened with its challenge in another browser', async () => {
    const { request, user_code } = await wait()
    const call = { params: { copy_id: copy }, body: { workspace_id: room.workspace_id, challenge: request.challenge } }
    expect(await world.bob.statusOf(sealedCopies.open, call)).toBe(409)
    const other = await wait()
    for (const wrong of ['2222-2222', other.user_code]) {
      const body = { ...call.body, user_code: wrong }
      expect(await world.bob.statusOf(sealedCopies.open, { ...call, body })).toBe(404)
    }
    expect((await ask(redemption(request))).body['status']).toBe('pending')
    expect(await enter(world.bob, request, user_code)).toMatchObject({ opened: true, code: '' })
  })

  test('K18: gets a key once for an entered code, within two minutes', async () => {
    const { request, user_code } = await wait()
    await enter(world.bob, request, user_code)
    const call = { workspace_id: room.workspace_id, challenge: request.challenge, user_code }
    expect(await world.bob.statusOf(sealedCopies.open, { params: { copy_id: copy }, body: call })).toBe(404)
    service.setClock(new Date(Date.now() + 121_000))
    expect((await ask(redemption(request))).status).toBe(403)
  })

  test('K18: gets no key after the session in which its code was entered has ended', async () => {
    const { request, user_code } = await wait()
    const session = await inSession(world.bob, request, user_code)
    await world.bob.call(api.sessions.remove, { params: { id: session.id } })
    expect((await ask(redemption(request))).status).toBe(403)
  })

  it('is not found by another user, nor with another code', async () => {
    const { user_code } = await wait()
    expect(await world.alice.statusOf(sealedCopies.request, { query: { user_code } })).toBe(404)
    expect(await world.bob.statusOf(sealedCopies.request, { query: { user_code: '2222-2222' } })).toBe(404)
  })

  test('K18: gets its key although others ask for codes of the same copy meanwhile', async () => {
    const { request, user_code } = await wait()
    for (let count = 0; count < 20; count++) await wait()
    await enter(world.bob, request, user_code)
    for (let count = 0; count < 60; count++) await wait()
    expect((await ask(redemption(request))).status).toBe(200)
  })

  it('waits at most ten minutes, and at most fifty wait at a time', async () => {
    const first = await wait()
    for (let count = 0; count < 50; count++) await wait()
    expect((await ask(redemption(first.request))).status).toBe(403)
    const last = await wait()
    service.setClock(new Date(Date.now() + 601_000))
    expect((await ask(redemption(last.request))).status).toBe(403)
  })
})

describe('the list of copies', () => {
  const list = (query: { file_id?: number; group_id?: number; user_id?: number } = {}) =>
    world.alice.call(sealedCopies.list, { query: { workspace_id: room.workspace_id, ...query } })

  it('shows the user of each copy and how often it was opened', async () => {
    await open(world.bob)
    await refusal(world.alice)
    const [only, before] = await list({ file_id: file, group_id: room.group_id, user_id: world.bob.id })
    expect(before?.copy_id).not.toBe(copy)
    expect(only).toMatchObject({
      copy_id: copy,
      title: 'plan.pdf',
      pages: 2,
      version: 1,
      user_id: world.bob.id,
      user_name: 'Bob Tester',
      groups: [{ id: room.group_id, name: 'Bidders' }],
      openings: 1,
      refusals: 1,
      last_opened_at: expect.any(String),
      revoked_at: null,
    })
    expect(await list({ user_id: world.alice.id })).toEqual([])
  })

  it('leads to the openings of one copy', async () => {
    await refusal(world.alice)
    await open(world.bob)
    const call = { params: { copy_id: copy }, query: { workspace_id: room.workspace_id } }
    expect(await world.alice.call(sealedCopies.openings, call)).toMatchObject([
      { user_name: 'Bob Tester', opened: true, refusal: null },
      { user_name: 'Alice Tester', opened: false, refusal: 'other_person' },
    ])
  })

  it('shows a revocation, which is recorded once', async () => {
    expect(await change('revoke')).toMatchObject({ revoked_at: expect.any(String), revoked_by_id: world.alice.id })
    await change('revoke')
    expect(await change('restore')).toMatchObject({ revoked_at: null, revoked_by_id: null })
    expect((await room.messages()).slice(0, 3)).toEqual([
      'restored the sealed copy of Bob Tester: plan.pdf',
      'revoked the sealed copy of Bob Tester: plan.pdf',
      'downloaded the file: plan.pdf',
    ])
  })

  it('does not include other workspaces', async () => {
    const call = { params: { copy_id: copy }, body: { workspace_id: world.workspace_id } }
    expect(await world.alice.statusOf(sealedCopies.revoke, call)).toBe(404)
  })
})
