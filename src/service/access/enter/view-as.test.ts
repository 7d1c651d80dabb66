import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import type { AnyEndpoint, Reply } from '../../../contract/endpoint.ts'
import { recallActor } from '../../auth/recall-actor.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { readDocuments, runJobs } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'
import { record } from '../../store/audit/activities.ts'
import { viewAs } from './view-as.ts'
import { administerWorkspace } from './workspace.ts'

type Handling = Reply<typeof api.permissions.viewFileAs>

let service: TestService
let world: World
let room: Room
const folders = new Map<string, number>()
const files: number[] = []
/** Each is in one group only. */
const readers: { name: string; person: Person; group_id: number }[] = []

const PROTECTIONS = {
  Plain: {},
  Marked: { watermarking: true },
  Sealed: { drm: true },
  Both: { watermarking: true, drm: true },
  'Find only': { text_layer: 'find' },
  'No text': { text_layer: 'none' },
  Ended: { ended: true },
} as const
type Protection = { watermarking?: true; drm?: true; text_layer?: 'find' | 'none'; ended?: true }

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  const { workspace_id } = room
  for (const [name, parent] of [
    ['View', undefined],
    ['Download', undefined],
    ['Upload', undefined],
    ['Hidden', undefined],
    ['Deep', 'Hidden'],
  ] as const) {
    folders.set(name, await room.folder(name, parent && folders.get(parent)))
  }
  for (const id of folders.values()) {
    files.push((await room.upload(world.alice, id, 'plan.pdf', new Uint8Array(samplePdf([{ content: '' }])))).id)
    files.push((await room.upload(world.alice, id, 'unknown.bin', 'content')).id)
  }
  await readDocuments(service)
  for (const [name, protection] of Object.entries(PROTECTIONS)) {
    const { id } = await world.alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
    const person = await createPerson(service, name.toLowerCase().replace(' ', '-'))
    await addMember(world.alice, workspace_id, id, person)
    for (const flag of ['view', 'download', 'upload'] as const) {
      await room.grant(folders.get(`${flag[0]?.toUpperCase()}${flag.slice(1)}`) ?? 0, flag, id)
    }
    await room.grant(folders.get('Deep') ?? 0, 'download', id)
    await protect(id, protection)
    readers.push({ name, person, group_id: id })
  }
})
afterAll(() => service.close())

async function protect(id: number, { watermarking, drm, text_layer, ended }: Protection) {
  const { alice } = world
  const { workspace_id } = room
  const change = <E extends AnyEndpoint>(endpoint: E, group: object) =>
    alice.call(endpoint, { params: { id }, body: { workspace_id, group } } as never)
  if (watermarking) await change(api.groups.setWatermarking, { watermarking })
  if (drm) await change(api.groups.setDrm, { drm_enabled: drm })
  if (text_layer) await change(api.groups.update, { text_layer })
  if (ended) await change(api.groups.update, { expire_workspace_access_at: '2020-01-01' })
}

const inRoom = () => ({ workspace_id: room.workspace_id })
const ways = (reader: (typeof readers)[number]) => [{ group_id: reader.group_id }, { user_id: reader.person.id }]
const orStatus = (asked: Promise<unknown>) => asked.catch(({ code }: { code: number }) => code)

describe('B14: an admin who views as a group or a person', () => {
  test.each(Object.keys(PROTECTIONS))('sees each folder exactly as %s', async (name) => {
    const reader = readers.find((each) => each.name === name) as (typeof readers)[number]
    for (const id of [0, ...folders.values()]) {
      const own = await (id === 0
        ? reader.person.call(api.workspaces.home, { params: { id: room.workspace_id } })
        : orStatus(reader.person.call(api.folders.get, { params: { id }, query: inRoom() })))
      for (const who of ways(reader)) {
        const query = { ...inRoom(), ...who }
        expect(await orStatus(world.alice.call(api.permissions.viewAs, { params: { id }, query }))).toEqual(own)
        if (typeof own === 'number') continue
        const part = { page: 2, per_page: 25 } as const
        const page = await world.alice.call(api.permissions.viewAs, { params: { id }, query: { ...query, ...part } })
        expect(page.totals).toEqual((own as typeof page).totals)
        expect(page.immediate_subfiles).toEqual([])
      }
    }
  })

  test.each(Object.keys(PROTECTIONS))('is told of each file exactly what %s gets', async (name) => {
    const reader = readers.find((each) => each.name === name) as (typeof readers)[number]
    const told = new Set<string>()
    for (const id of files) {
      const own = await handlingFor(reader.person, id)
      for (const who of ways(reader)) {
        const call = { params: { id }, query: { ...inRoom(), ...who } }
        const seen = await orStatus(world.alice.call(api.permissions.viewFileAs, call))
        expect(typeof seen === 'number' ? seen : gistOf(seen as Handling)).toEqual(own)
        told.add(JSON.stringify(own))
      }
    }
    expect(told.size).toBeGreaterThan(name === 'Ended' ? 0 : 2)
  })

  test('sees folders and files as a person in several groups, whose protections add up', async () => {
    const person = await createPerson(service, 'several')
    for (const { name, group_id } of readers) {
      if (name === 'Plain' || name === 'Sealed') await addMember(world.alice, room.workspace_id, group_id, person)
    }
    const query = { ...inRoom(), user_id: person.id }
    for (const id of folders.values()) {
      const own = await orStatus(person.call(api.folders.get, { params: { id }, query: inRoom() }))
      expect(await orStatus(world.alice.call(api.permissions.viewAs, { params: { id }, query }))).toEqual(own)
    }
    for (const id of files) {
      const seen = await orStatus(world.alice.call(api.permissions.viewFileAs, { params: { id }, query }))
      expect(typeof seen === 'number' ? seen : gistOf(seen as Handling)).toEqual(await handlingFor(person, id))
    }
  })

  test.each(Object.keys(PROTECTIONS))('finds exactly the files, passages and folders that %s finds', async (name) => {
    const reader = readers.find((each) => each.name === name) as (typeof readers)[number]
    const found = new Set<string>()
    for (const q of ['plan', 'content', 'un', 'deep', 'hidden', 'down']) {
      const query = { ...inRoom(), q }
      const own = [
        await orStatus(reader.person.call(api.files.search, { query })),
        await orStatus(reader.person.call(api.folders.search, { query })),
      ]
      for (const who of ways(reader)) {
        const asThem = { query: { ...query, ...who } }
        expect([
          await orStatus(world.alice.call(api.permissions.searchFilesAs, asThem)),
          await orStatus(world.alice.call(api.permissions.searchFoldersAs, asThem)),
        ]).toEqual(own)
      }
      found.add(JSON.stringify(own))
    }
    expect(found.size).toBeGreaterThan(name === 'Ended' ? 0 : 3)
  })

  test.each(Object.keys(PROTECTIONS))('is told of a zip exactly what %s gets', async (name) => {
    const reader = readers.find((each) => each.name === name) as (typeof readers)[number]
    const folder = (of: string) => folders.get(of) ?? 0
    const selections = [
      { folder_ids: [folder('Download')], file_ids: [] },
      { folder_ids: [folder('Hidden')], file_ids: files.slice(2, 4) },
      { folder_ids: [folder('Upload')], file_ids: [] },
      { folder_ids: [folder('Download'), folder('Deep')], file_ids: [] },
      { folder_ids: [0], file_ids: [] },
      { folder_ids: [], file_ids: files.slice(2, 4) },
      { folder_ids: [], file_ids: [] },
    ]
    for (const download of selections) {
      const own = await orStatus(reader.person.call(api.downloads.create, { body: { ...inRoom(), download } }))
      const gets = typeof own === 'number' ? own : await membersOf((own as { id: number }).id)
      for (const who of ways(reader)) {
        const call = { query: { ...inRoom(), ...download, ...who } }
        expect([download, await orStatus(world.alice.call(api.permissions.downloadAs, call))]).toEqual([download, gets])
      }
    }
  })

  test('leaves nothing where it asks what a zip or a search would give', async () => {
    const before = await everything()
    for (const who of readers.flatMap(ways)) {
      const download = { folder_ids: [0], file_ids: files }
      await orStatus(world.alice.call(api.permissions.downloadAs, { query: { ...inRoom(), ...who, ...download } }))
      await orStatus(world.alice.call(api.permissions.searchFilesAs, { query: { ...inRoom(), ...who, q: 'plan' } }))
      await orStatus(world.alice.call(api.permissions.searchFoldersAs, { query: { ...inRoom(), ...who, q: 'deep' } }))
    }
    expect(await everything()).toEqual(before)
  })

  test('changes nothing and gets no address of content, whatever is asked as whomever', async () => {
    const before = await everything()
    const { entries } = await audited()
    for (const who of readers.flatMap(ways)) {
      for (const id of [0, ...folders.values()]) {
        await expectNoAddress(api.permissions.viewAs, { params: { id }, query: { ...inRoom(), ...who } })
      }
      for (const id of files) {
        await expectNoAddress(api.permissions.viewFileAs, { params: { id }, query: { ...inRoom(), ...who } })
      }
    }
    expect(await everything()).toEqual(before)
    const refusals = (await audited()).entries.slice(entries.length)
    expect(refusals.length).toBeGreaterThan(0)
    for (const entry of refusals) {
      expect(JSON.parse(entry)).toMatchObject({ user_id: world.alice.id, refusal: { status: 404 } })
    }
  })

  test.each(Object.keys(PROTECTIONS))('is shown pages as %s has them, with a mark that says preview', async (name) => {
    const reader = readers.find((each) => each.name === name) as (typeof readers)[number]
    for (const [id, who] of files
      .filter((_, at) => at % 2 === 0)
      .flatMap((id) => ways(reader).map((who) => [id, who] as const))) {
      const own = await orStatus(reader.person.call(api.files.pages, { params: { id }, query: inRoom() }))
      const shown = await orStatus(pagesFor(id, who))
      if (typeof own === 'number') {
        expect(shown).toBe(own)
        continue
      }
      const { pages: ownPages, expires: _, ...theirs } = own as Pages
      const { pages: shownPages, expires: __, ...same } = shown as Pages
      expect(same).toEqual(theirs)
      const { pages: plainPages } = await world.alice.call(api.files.pages, { params: { id }, query: inRoom() })
      const [original, marked, preview] = await Promise.all([plainPages, ownPages, shownPages].map(firstOf))
      const isMarked = !marked?.equals(original ?? marked)
      expect(preview?.equals(original ?? preview)).toBe(!isMarked)
      expect(isMarked).toBe(name === 'Marked' || name === 'Sealed' || name === 'Both')
      if (isMarked) expect(preview?.equals(marked ?? preview)).toBe(false)
    }
  })

  test('leaves no view in the name of others, only in the name of the admin', async () => {
    const reader = readers.find(({ name }) => name === 'Sealed') as (typeof readers)[number]
    const id = files[0] ?? 0
    const { db } = service.services
    await db.deleteFrom('file_views').execute()
    for (const who of ways(reader)) await firstOf((await pagesFor(id, who)).pages)
    expect(await db.selectFrom('file_views').select(['user_id', 'file_id']).execute()).toEqual([
      { user_id: world.alice.id, file_id: id },
    ])
    const [newest] = (await world.alice.call(api.activities.list, { params: inRoom() })).events
    expect(newest).toMatchObject({ user_id: world.alice.id, message: 'viewed the file: plan.pdf' })
  })

  test('is shown nothing more by an address once the admin or the reader has lost it', async () => {
    const { alice, wendy } = world
    const id = files[0] ?? 0
    const [reader] = readers
    const admins = (await alice.call(api.groups.list, { query: inRoom() })).find(
      ({ kind }) => kind === 'workspace_admins',
    )
    const group = { params: { id: admins?.id ?? 0 } }
    await addMember(alice, room.workspace_id, admins?.id ?? 0, wendy)
    const [page] = (await pagesFor(id, { group_id: reader?.group_id ?? 0 }, wendy)).pages
    const statusNow = async () => (await fetch(addressOf(page?.expiring_url ?? ''))).status
    expect(await statusNow()).toBe(200)
    const body = { ...inRoom(), group_id: reader?.group_id ?? 0, folder_action: 'view' as const }
    const view = folders.get('View') ?? 0
    await alice.call(api.permissions.set, { params: { id: view }, body: { ...body, verb: 'revoke' } })
    expect(await statusNow()).toBe(404)
    await alice.call(api.permissions.set, { params: { id: view }, body: { ...body, verb: 'grant' } })
    expect(await statusNow()).toBe(200)
    await addMember(alice, room.workspace_id, room.group_id, wendy)
    await alice.call(api.groups.removeMember, { ...group, query: { ...inRoom(), user_id: wendy.id } })
    expect(await statusNow()).toBe(404)
  })

  test('cannot act meanwhile: the actor is the admin, and the database refuses every change', async () => {
    const { db } = service.services
    const known = { id: world.alice.id, organization_id: 1, personal_key_id: null }
    const alice = await recallActor(db, known, { ip: '', now: new Date() })
    if (!alice) throw new Error('alice is gone')
    const workspace = await administerWorkspace(db, alice, room.workspace_id)
    const actors = new Set<number>()
    for (const who of readers.slice(0, 1).flatMap(ways)) {
      const acting = viewAs(db, workspace, who as { group_id: number }, async (tx, seen) => {
        actors.add(seen.actor.id)
        const act = { act: 'file_viewed', params: { title: 'x' }, subject_id: files[0] ?? 0 } as const
        await expect(record(tx, seen, act)).rejects.toThrow(/read-only transaction/)
      })
      await expect(acting).rejects.toThrow(/read-only|closed/)
    }
    expect([...actors]).toEqual([world.alice.id])
    expect(await room.messages()).not.toContain('viewed the file: x')
  })

  test('must name exactly one group or person of the workspace', async () => {
    const [reader] = readers
    const { group_id = 0, person } = reader ?? {}
    const outsider = await createPerson(service, 'outsider')
    const as = (who: object) =>
      world.alice.statusOf(api.permissions.viewFileAs, {
        params: { id: files[0] ?? 0 },
        query: { ...inRoom(), ...who },
      })
    expect(await as({})).toBe(422)
    expect(await as({ group_id, user_id: person?.id })).toBe(422)
    expect(await as({ user_id: outsider.id })).toBe(404)
    expect(await as({ group_id: world.group_id })).toBe(404)
  })
})

type Pages = Reply<typeof api.files.pages>

const pagesFor = (id: number, who: object, admin = world.alice) =>
  admin.call(api.permissions.viewPagesAs, { params: { id }, query: { ...inRoom(), ...who } })

const addressOf = (expiring_url: string) => service.url + new URL(expiring_url).pathname

async function firstOf(pages: Pages['pages']): Promise<Buffer> {
  const response = await fetch(addressOf(pages[0]?.expiring_url ?? ''))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const gistOf = ({ printable, text_layer, download, hindrance }: Handling) => ({
  printable,
  text_layer,
  download: hindrance ?? download,
})

/** What the person gets when they ask for it themselves. */
async function handlingFor(person: Person, id: number) {
  const call = { params: { id }, query: inRoom() }
  const pages = await orStatus(person.call(api.files.pages, call))
  if (typeof pages === 'number') return pages
  const { printable, text_layer } = pages as Reply<typeof api.files.pages>
  return { printable, text_layer, download: await deliveryTo(person, id) }
}

async function deliveryTo(person: Person, file_id: number): Promise<string> {
  const call = { params: { file_id }, query: inRoom() }
  const reply = await person.call(api.downloads.getFile, call).catch((error: { message: string }) => error.message)
  if (typeof reply === 'string') {
    if (reply.includes('sealed')) return 'sealed'
    return /watermark|mark/.test(reply) ? 'unmarkable' : 'none'
  }
  const { action } = service.services.contentUrls.read(new URL(reply.expiring_url).pathname.split('/').at(-1) ?? '')
  return action === 'stamped' ? 'marked' : 'original'
}

/** What a zip holds once it is made. */
async function membersOf(download: number) {
  await runJobs(service)
  const members = await service.services.db
    .selectFrom('download_members')
    .select(['file_id', 'left_out', 'sealed', 'must_be_stamped'])
    .where('download_id', '=', download)
    .execute()
  const left_out = { folders: 0, infected: 0, not_scanned: 0, unmarkable: 0, unsealable: 0 }
  const gets = { original: 0, marked: 0, sealed: 0, left_out }
  const reasons = {
    right: 'folders',
    infected: 'infected',
    unscanned: 'not_scanned',
    watermark: 'unmarkable',
    drm: 'unsealable',
  } as const
  for (const member of members) {
    if (member.left_out) left_out[reasons[member.left_out as keyof typeof reasons]]++
    else if (member.file_id !== null) gets[member.sealed ? 'sealed' : member.must_be_stamped ? 'marked' : 'original']++
  }
  return gets
}

async function expectNoAddress(endpoint: AnyEndpoint, call: object) {
  expect(endpoint.method).toBe('GET')
  const reply = await orStatus(world.alice.call(endpoint, call as never))
  expect(JSON.stringify(reply)).not.toMatch(/:\/\/|content\//)
}

/** The admin's own refused requests are recorded here, in the admin's name. */
const AUDIT = 'audit_inbox'

async function audited(): Promise<{ entries: string[] }> {
  const rows = await service.services.db.selectFrom(AUDIT).select('entry').orderBy('id').execute()
  return { entries: rows.map(({ entry }) => entry) }
}

/** A digest of every other table. */
async function everything(): Promise<Record<string, string>> {
  const { db } = service.services
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> ${AUDIT}`.execute(db)
  const digests = rows.map(async ({ name }) => {
    const digest = await sql<{ digest: string | null }>`
      select md5(string_agg(t::text, ' ' order by t::text)) as digest from ${sql.table(name)} t`.execute(db)
    return [name, digest.rows[0]?.digest ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}
