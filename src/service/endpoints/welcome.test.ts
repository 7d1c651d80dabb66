import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
afterEach(() => service.setClock(undefined))
beforeEach(async () => {
  room = await createRoom(world)
})

const { workspaces, groups } = api
const show = (person: Person) => person.call(workspaces.getWelcome, { params: { id: room.workspace_id } })
const set = (welcome: object, person = world.alice) =>
  person.call(workspaces.updateWelcome, { params: { id: room.workspace_id }, body: { welcome } })
const inRoom = () => ({ params: { id: room.group_id }, body: { workspace_id: room.workspace_id } })
const titles = async (person: Person) => (await show(person)).new_files.map(({ title }) => title)

describe('the landing page of a workspace', () => {
  it('says what its admins have set, to every member', async () => {
    const texts = {
      description: 'Sale of all shares',
      expectation: 'Questions by 11 December',
      text: 'Start\nwith 1.1',
    }
    await set({ ...texts, contact_user_id: world.alice.id, contact_note: '+31 10 555 01 48' })
    expect(await show(world.bob)).toMatchObject({
      ...texts,
      contact: { user_id: world.alice.id, first_name: 'Alice', last_name: 'Tester', email: 'alice@example.com' },
      contact_note: '+31 10 555 01 48',
      groups: ['Bidders'],
    })
    expect((await set({ contact_user_id: null })).contact).toBeNull()
    expect(await show(world.bob)).toMatchObject(texts)
  })

  test('K75: takes only a Workspace Admin as the contact, and shows nobody who is no longer one', async () => {
    for (const contact_user_id of [world.bob.id, world.mallory.id, 999_999])
      await expect(set({ contact_user_id })).rejects.toMatchObject({ code: 422 })
    const list = await world.alice.call(groups.list, { query: { workspace_id: room.workspace_id } })
    const admins = list.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
    const body = { workspace_id: room.workspace_id, user_id: world.wendy.id, send_email: false }
    await world.alice.call(groups.addMember, { params: { id: admins }, body })
    await set({ contact_user_id: world.wendy.id })
    expect((await show(world.bob)).contact?.user_id).toBe(world.wendy.id)
    const query = { workspace_id: room.workspace_id, user_id: world.wendy.id }
    await world.wendy.call(groups.removeMember, { params: { id: admins }, query })
    expect((await show(world.bob)).contact).toBeNull()
  })

  it('says how the groups of the reader protect what they grant', async () => {
    const [one, two] = [await room.folder('One'), await room.folder('Two')]
    expect((await show(world.alice)).protection).toBeNull()
    const nothing = { documents: false, marked: 'none', downloads: false, sealed: 'none' }
    expect((await show(world.bob)).protection).toEqual(nothing)
    await room.grant(one, 'view')
    await world.alice.call(groups.setWatermarking, {
      ...inRoom(),
      body: { ...inRoom().body, group: { watermarking: true } },
    })
    expect((await show(world.bob)).protection).toEqual({ ...nothing, documents: true, marked: 'all' })
    const other = await room.group('Lenders')
    await room.grant(two, 'download', other)
    expect((await show(world.bob)).protection).toEqual({
      documents: true,
      marked: 'some',
      downloads: true,
      sealed: 'none',
    })
    const body = { ...inRoom().body, group: { drm_enabled: true } }
    await world.alice.call(groups.setDrm, { params: { id: other }, body })
    expect((await show(world.bob)).protection).toEqual({
      documents: true,
      marked: 'all',
      downloads: true,
      sealed: 'all',
    })
  })

  it('says when the last group that grants anything ends', async () => {
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
    const end = (id: number, expire_workspace_access_at: string) =>
      world.alice.call(groups.setAccessExpiry, {
        params: { id },
        body: { ...inRoom().body, group: { expire_workspace_access_at } },
      })
    const other = await room.group('Lenders')
    expect((await show(world.bob)).access_ends_at).toBeNull()
    await end(room.group_id, day(5))
    expect((await show(world.bob)).access_ends_at).toBeNull()
    await room.grant(await room.folder('One'), 'view')
    expect((await show(world.bob)).access_ends_at).toBe(day(5))
    await room.grant(await room.folder('Two'), 'view', other)
    await end(other, day(9))
    expect((await show(world.bob)).access_ends_at).toBe(day(9))
    expect((await show(world.alice)).access_ends_at).toBeNull()
  })
})

describe('what the reader may read', () => {
  const file = async (folder: number, name: string) => (await room.upload(world.alice, folder, name)).id
  const look = (id: number) =>
    service.services.db
      .insertInto('file_views')
      .values({ workspace_id: room.workspace_id, user_id: world.bob.id, file_id: id, viewed_at: new Date() })
      .execute()

  test('K75: counts only documents that the reader may view, each once', async () => {
    const [seen, taken, hidden] = [await room.folder('Seen'), await room.folder('Taken'), await room.folder('Hidden')]
    for (const folder of [seen, taken]) await room.grant(folder, 'view')
    const other = await room.group('Lenders')
    await room.grant(taken, 'download', other)
    const ids = [await file(seen, 'a.txt'), await file(taken, 'b.txt'), await file(taken, 'c.txt')]
    await look(ids[1] ?? 0)
    await look(await file(hidden, 'secret.txt'))
    expect((await show(world.bob)).reading).toEqual({ viewable: 3, downloadable: 2, opened: 1 })
    expect((await show(world.alice)).reading).toBeNull()
    await room.revoke(seen, 'view')
    expect((await show(world.bob)).reading).toEqual({ viewable: 2, downloadable: 2, opened: 1 })
  })

  it('numbers new documents as lists do', async () => {
    const [one, two] = [await room.folder('One'), await room.folder('Two')]
    await room.grant(two, 'view')
    await file(two, 'a.txt')
    const { new_files } = await show(world.bob)
    const query = { workspace_id: room.workspace_id }
    const { immediate_subfiles } = await world.bob.call(api.folders.get, { params: { id: two }, query })
    expect(one).not.toBe(two)
    expect(new_files.map(({ outline }) => outline)).toEqual(immediate_subfiles.map(({ outline }) => outline))
  })
})

describe('what is new since the previous visit', () => {
  const visit = (person: Person) => person.call(workspaces.get, { params: { id: room.workspace_id } })
  /** Moves the last visit of a user into the past, as if they came back after that time. */
  const awayFor = (person: Person, minutes: number) =>
    service.services.db
      .updateTable('workspace_memberships')
      .set({ last_active_at: new Date(Date.now() - minutes * 60_000) })
      .where('workspace_id', '=', room.workspace_id)
      .where('user_id', '=', person.id)
      .execute()

  test('K75: has only files that the reader may view, by others, and not held or deleted', async () => {
    const [seen, hidden] = [await room.folder('Seen'), await room.folder('Hidden')]
    await room.grant(seen, 'upload')
    await room.upload(world.alice, seen, 'new.txt')
    await room.upload(world.alice, hidden, 'secret.txt')
    await room.upload(world.bob, seen, 'own.txt')
    const gone = await room.upload(world.alice, seen, 'gone.txt')
    await world.alice.call(api.files.remove, { params: { id: gone.id }, query: { workspace_id: room.workspace_id } })
    expect(await show(world.bob)).toMatchObject({
      previous_visit_at: null,
      new_files: [{ title: 'new.txt', folder_name: 'Seen', version: 1, unread: true }],
      new_files_count: 1,
    })
    await room.revoke(seen, 'view')
    expect(await show(world.bob)).toMatchObject({ new_files: [], new_files_count: 0 })
    expect(await world.mallory.statusOf(workspaces.getWelcome, { params: { id: room.workspace_id } })).toBe(404)
  })

  it('begins with an hour of absence, and not with every look', async () => {
    const folder = await room.folder('Seen')
    await room.grant(folder, 'view')
    await visit(world.bob)
    await awayFor(world.bob, 59)
    await visit(world.bob)
    expect((await show(world.bob)).previous_visit_at).toBeNull()
    await awayFor(world.bob, 61)
    await visit(world.bob)
    const { previous_visit_at } = await show(world.bob)
    expect(Date.now() - Date.parse(previous_visit_at ?? '')).toBeGreaterThan(60 * 60_000)
    await room.upload(world.alice, folder, 'a.txt')
    await awayFor(world.bob, 15)
    await visit(world.bob)
    expect(await show(world.bob)).toMatchObject({ previous_visit_at, new_files: [{ title: 'a.txt' }] })
  })

  it('lists each file once, the latest change first', async () => {
    const folder = await room.folder('Seen')
    await room.grant(folder, 'view')
    await room.upload(world.alice, folder, 'a.txt', 'one')
    await room.upload(world.alice, folder, 'b.txt')
    await room.upload(world.alice, folder, 'a.txt', 'two')
    expect(await titles(world.bob)).toEqual(['a.txt', 'b.txt'])
    expect((await show(world.bob)).new_files[0]?.version).toBe(2)
    for (let n = 0; n < 13; n++) await room.upload(world.alice, folder, `${n}.txt`)
    const { new_files, new_files_count } = await show(world.bob)
    expect([new_files.length, new_files_count]).toEqual([12, 15])
  })
})
