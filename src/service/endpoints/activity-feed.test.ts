import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
})

type Query = NonNullable<Call<typeof api.activities.feed>['query']>

const feed = (person: Person, query: Query = {}) =>
  person.call(api.activities.feed, { params: { workspace_id: room.workspace_id }, query })
const lines = async (person: Person, query: Query = {}) =>
  (await feed(person, query)).events.map(({ message, zip, times }) =>
    [message, zip && `${zip.folders}+${zip.files}`, times > 1 && `${times} times`].filter(Boolean).join(' | '),
  )
const listed = (person: Person, query = {}) =>
  person.call(api.activities.list, { params: { workspace_id: room.workspace_id }, query })

async function allOf(person: Person, query: Query): Promise<number[]> {
  const ids: number[] = []
  for (let after: string | undefined; ;) {
    const { events, next } = await feed(person, { ...query, per_page: 25, ...(after && { after }) })
    ids.push(...events.map(({ id }) => id))
    if (next === null) return ids
    after = next
  }
}

const zip = (person: Person, download: { folder_ids?: number[]; file_ids?: number[] }) =>
  person.call(api.downloads.create, { body: { workspace_id: room.workspace_id, download } })

async function fill(folder: number, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) ids.push((await room.upload(world.alice, folder, name)).id)
  return ids
}

const act = (person: Person, created_at: string, more = {}) => ({
  workspace_id: room.workspace_id,
  user_id: person.id,
  user_name: 'Somebody',
  verb: 'viewed',
  message: 'viewed this workspace',
  act: 'workspace_viewed',
  subject_type: 'Workspace',
  subject_id: room.workspace_id,
  created_at,
  ...more,
})
const add = (...rows: ReturnType<typeof act>[]) => service.services.db.insertInto('activities').values(rows).execute()

const addFolders = (parent: number, count: number) =>
  sql`
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select p.workspace_id, c.id, p.id, c.id::text, 100 + at, p.id_path || c.id, p.last_updated_user_id
    from folders p cross join lateral (
      select nextval(pg_get_serial_sequence('folders', 'id'))::int as id, at from generate_series(1, ${count}::int) at
      where p.id > 0
    ) c where p.workspace_id = ${room.workspace_id} and p.id = ${parent}`.execute(service.services.db)

const addViews = (person: Person, count: number) =>
  sql`
    insert into activities (workspace_id, user_id, user_name, verb, message, act, subject_type, subject_id, created_at)
    select ${room.workspace_id}, ${person.id}, 'Somebody', 'viewed', 'viewed', 'file_viewed', 'Asset', 1,
      now() + make_interval(secs => at) from generate_series(1, ${count}::int) at`.execute(service.services.db)

describe('a zip in the feed', () => {
  it('is one event that counts its folders and files, and opens into them in order, page by page', async () => {
    const finance = await room.folder('Finance')
    await fill(
      finance,
      Array.from({ length: 30 }, (_, at) => `file ${at}.txt`),
    )
    const [single] = await fill(0, ['single.txt'])
    await zip(world.alice, { folder_ids: [finance], file_ids: [single ?? 0] })
    const [first] = (await feed(world.alice)).events
    expect(first).toMatchObject({ message: 'downloaded the folder: Finance', zip: { folders: 1, files: 31 }, times: 1 })
    expect((await lines(world.alice)).filter((line) => line.startsWith('downloaded'))).toHaveLength(1)

    const zip_id = first?.zip?.id ?? 0
    const opened = await allOf(world.alice, { zip_id })
    expect(opened).toHaveLength(32)
    expect(opened).toEqual(opened.toSorted((a, b) => a - b))
    expect((await lines(world.alice, { zip_id, per_page: 25 })).slice(0, 2)).toEqual([
      'downloaded the folder: Finance',
      expect.stringMatching(/^downloaded the file: /),
    ])
  })

  it('stays an act for each file for the clients of the list, and in the feed where the caller asks for that', async () => {
    const finance = await room.folder('Finance')
    await fill(finance, ['a.txt', 'b.txt'])
    await zip(world.alice, { folder_ids: [finance] })
    const downloads = ['downloaded the file: b.txt', 'downloaded the file: a.txt', 'downloaded the folder: Finance']
    const { events } = await listed(world.alice, { per_page: 25 })
    expect(events.slice(0, 3).map(({ message }) => message)).toEqual(downloads)
    expect(Object.keys(events[0] ?? {})).not.toContain('zip')
    expect((await lines(world.alice, { together: false })).slice(0, 3)).toEqual(downloads)
  })

  it('counts what the filters leave, and is not an event of one act', async () => {
    const [finance, legal] = [await room.folder('Finance'), await room.folder('Legal')]
    const inner = await room.folder('2026', finance)
    await fill(inner, ['a.txt', 'b.txt'])
    const [deed] = await fill(legal, ['deed.txt'])
    await zip(world.alice, { folder_ids: [finance, legal] })
    const downloads = { verb: 'downloaded' }
    expect(await lines(world.alice, downloads)).toEqual(['downloaded the folder: Finance | 2+3'])
    expect(await lines(world.alice, { ...downloads, subject_type: 'Asset' })).toEqual([
      expect.stringMatching(/^downloaded the file: .* \| 0\+3$/),
    ])
    expect(await lines(world.alice, { ...downloads, subject_type: 'Folder' })).toEqual([
      'downloaded the folder: Finance | 2+0',
    ])
    expect(await lines(world.alice, { ...downloads, folder_id: inner })).toEqual(['downloaded the file: a.txt | 0+2'])
    expect(await lines(world.alice, { ...downloads, folder_id: legal })).toEqual(['downloaded the folder: Legal | 1+1'])
    expect(await lines(world.alice, { subject_type: 'Asset', subject_id: deed ?? 0, verb: 'downloaded' })).toEqual([
      'downloaded the file: deed.txt',
    ])
    const { events } = await feed(world.alice, { ...downloads, folder_id: inner })
    const zip_id = events[0]?.zip?.id ?? 0
    expect(await lines(world.alice, { zip_id, folder_id: inner })).toEqual([
      'downloaded the file: a.txt',
      'downloaded the file: b.txt',
    ])

    await zip(world.alice, { file_ids: [deed ?? 0] })
    expect((await lines(world.alice))[0]).toBe('downloaded the file: deed.txt')
  })

  it('is not made of single downloads at once', async () => {
    for (const id of await fill(0, ['a.txt', 'b.txt'])) {
      await world.alice.call(api.downloads.getFile, {
        params: { file_id: id },
        query: { workspace_id: room.workspace_id },
      })
    }
    expect(await lines(world.alice, { verb: 'downloaded' })).toEqual([
      'downloaded the file: b.txt',
      'downloaded the file: a.txt',
    ])
  })

  it('fills no pages: those behind it follow, without gaps or duplicates', async () => {
    const many = await room.folder('Many')
    await fill(
      many,
      Array.from({ length: 40 }, (_, at) => `${at}.txt`),
    )
    for (const _ of [1, 2]) {
      await zip(world.alice, { folder_ids: [many] })
      await fill(0, [`between ${_}.txt`])
    }
    for (const query of [{}, { subject_type: 'Asset' }, { folder_id: many }]) {
      const ids = await allOf(world.alice, query)
      expect(new Set(ids).size).toBe(ids.length)
      const every = await allOf(world.alice, { ...query, together: false })
      expect(every.length - ids.length).toBe('subject_type' in query ? 2 * 39 : 2 * 40)
    }
  })

  it('of others opens only for admins', async () => {
    const finance = await room.folder('Finance')
    await fill(finance, ['a.txt', 'b.txt'])
    await zip(world.alice, { folder_ids: [finance] })
    const [event] = (await feed(world.alice)).events
    const zip_id = event?.zip?.id ?? 0
    expect(await lines(world.alice, { zip_id })).toHaveLength(3)
    expect(await lines(world.bob, { zip_id })).toEqual([])
    expect(await lines(world.bob, { zip_id: event?.id ?? 0 })).toEqual([])
  })
})

describe('views of the workspace in the feed', () => {
  const views = (query: Query) => lines(world.alice, { verb: 'viewed', subject_type: 'Workspace', ...query })

  it('are one event for each person and day, even if people alternate', async () => {
    const { alice, bob } = world
    for (const hour of ['08', '09', '10', '11']) {
      await add(act(bob, `2026-03-02T${hour}:00:00.000Z`), act(alice, `2026-03-02T${hour}:30:00.000Z`))
    }
    await add(act(bob, '2026-03-01T12:00:00.000Z'))
    const query = { from: '2026-03-01', to: '2026-03-02' }
    const { events } = await feed(alice, query)
    expect(events.map(({ user_id, times, created_at }) => [user_id, times, created_at])).toEqual([
      [alice.id, 4, '2026-03-02T11:30:00.000Z'],
      [bob.id, 4, '2026-03-02T11:00:00.000Z'],
      [bob.id, 1, '2026-03-01T12:00:00.000Z'],
    ])
    expect(await views({ ...query, together: false })).toHaveLength(9)
    expect(await views({ ...query, per_page: 25, after: `${Date.parse('2026-03-02T11:00:00.000Z')}_0` })).toEqual([
      'viewed this workspace',
    ])
  })

  it('belong to days of the time zone, also where clocks change', async () => {
    const times = [
      '2026-03-28T23:30:00.000Z',
      '2026-03-29T00:30:00.000Z',
      '2026-03-29T21:30:00.000Z',
      '2026-03-29T22:30:00.000Z',
    ]
    await add(...times.map((time) => act(world.bob, time)))
    const range = { from: '2026-03-28', to: '2026-03-31' }
    expect(await views(range)).toEqual(['viewed this workspace | 3 times', 'viewed this workspace'])
    // In Berlin, the day begins at 23:00 UTC and ends at 22:00 UTC.
    expect(await views({ ...range, time_zone: 'Europe/Berlin' })).toEqual([
      'viewed this workspace',
      'viewed this workspace | 3 times',
    ])
    expect(await views({ ...range, time_zone: 'Pacific/Kiritimati' })).toEqual([
      'viewed this workspace | 2 times',
      'viewed this workspace | 2 times',
    ])
  })
})

describe('the feed of a folder', () => {
  it('has everything that happened with it and below it, newest first', async () => {
    const [finance, legal] = [await room.folder('Finance'), await room.folder('Legal')]
    const inner = await room.folder('2026', finance)
    const [plan] = await fill(inner, ['plan.txt'])
    await fill(legal, ['deed.txt'])
    await world.alice.call(api.files.move, {
      params: { id: plan ?? 0 },
      body: { workspace_id: room.workspace_id, destination_folder_id: finance },
    })
    expect(await lines(world.alice, { folder_id: finance })).toEqual([
      'moved the file "plan.txt" from "2026" into the folder "Finance"',
      'added the file: plan.txt',
      'added the folder: 2026',
      'added the folder: Finance',
    ])
    expect(await lines(world.alice, { folder_id: inner })).toEqual(['added the folder: 2026'])
    expect(await lines(world.alice, { folder_id: finance, subject_type: 'Folder' })).toHaveLength(2)
    expect(await lines(world.alice, { folder_id: 0 })).toHaveLength(6)
  })

  it('shows a member the own acts on what they may view there now', async () => {
    const finance = await room.folder('Finance')
    const secret = await room.folder('Secret', finance)
    await room.grant(finance, 'view')
    const ids = await fill(finance, ['a.txt', 'b.txt'])
    await add(
      ...ids.map((id) =>
        act(world.bob, '2026-03-01T12:00:00.000Z', { message: `viewed ${id}`, subject_type: 'Asset', subject_id: id }),
      ),
    )
    await room.revoke(secret, 'view')
    await world.alice.call(api.files.move, {
      params: { id: ids[1] ?? 0 },
      body: { workspace_id: room.workspace_id, destination_folder_id: secret },
    })
    expect(await lines(world.bob, { folder_id: finance })).toEqual([`viewed ${ids[0]}`])
    const call = { params: { workspace_id: room.workspace_id }, query: { folder_id: secret } }
    expect(await world.bob.statusOf(api.activities.feed, call)).toBe(404)
  })

  it('reads the same of a folder with thousands of others, and goes on where it stopped looking', async () => {
    const { alice, bob } = world
    const [deal, aside] = [await room.folder('Deal'), await room.folder('Aside')]
    const inner = await room.folder('2026', deal)
    await room.grant(0, 'download')
    const ids = await fill(inner, ['a.txt', 'b.txt', 'c.txt'])
    await fill(aside, ['d.txt'])
    await zip(alice, { folder_ids: [deal, aside] })
    await zip(bob, { folder_ids: [inner] })
    await zip(bob, { folder_ids: [aside] })
    await add(
      ...ids.map((id) => act(bob, '2026-03-01T12:00:00.000Z', { subject_type: 'Asset', subject_id: id })),
      ...ids.map((id) => act(alice, '2026-03-01T12:00:00.000Z', { subject_type: 'Asset', subject_id: id })),
    )
    await alice.call(api.files.remove, { params: { id: ids[2] ?? 0 }, query: { workspace_id: room.workspace_id } })
    const queries: Query[] = [
      {},
      { together: false },
      { verb: 'downloaded' },
      { subject_type: 'Asset' },
      { subject_type: 'Folder', verb: 'downloaded' },
      { user_id: bob.id },
      { group_id: room.group_id },
      { to: '2026-03-01' },
    ]
    const read = async () => {
      const seen = []
      for (const query of queries) {
        seen.push(await lines(alice, { ...query, folder_id: deal }), await allOf(alice, { ...query, folder_id: deal }))
      }
      return [...seen, await lines(bob, { folder_id: deal }), await lines(bob, { folder_id: inner, together: false })]
    }
    const before = await read()
    expect(before.every((each) => each.length > 0)).toBe(true)

    await addFolders(deal, 2000)
    expect(await read()).toEqual(before)

    await addViews(world.wendy, 6000)
    const { events, next } = await feed(alice, { folder_id: deal })
    expect(events).toEqual([])
    expect(next).toMatch(/^\d+_\d+$/)
    for (const [at, query] of queries.entries())
      expect(await allOf(alice, { ...query, folder_id: deal })).toEqual(before[2 * at + 1])
  })
})

describe('the feed of a group', () => {
  it('has acts on the group and all acts of its members, for admins only', async () => {
    const { alice, bob, wendy } = world
    const lenders = (
      await alice.call(api.groups.create, { body: { group: { name: 'Lenders', workspace_id: room.workspace_id } } })
    ).id
    await addMember(alice, room.workspace_id, lenders, wendy)
    await add(act(bob, '2026-03-01T12:00:00.000Z', { message: 'viewed by bob', subject_type: 'Asset', subject_id: 1 }))
    await add(
      act(wendy, '2026-03-01T12:00:00.000Z', { message: 'viewed by wendy', subject_type: 'Asset', subject_id: 1 }),
    )
    expect(await lines(alice, { group_id: room.group_id })).toEqual(['added the group: Bidders', 'viewed by bob'])
    expect(await lines(alice, { group_id: lenders })).toEqual(['added the group: Lenders', 'viewed by wendy'])
    expect(await lines(alice, { group_id: lenders, verb: 'viewed' })).toEqual(['viewed by wendy'])
    const call = { params: { workspace_id: room.workspace_id }, query: { group_id: room.group_id } }
    expect(await bob.statusOf(api.activities.feed, call)).toBe(403)
    const foreign = { ...call, query: { group_id: world.group_id } }
    expect(await alice.statusOf(api.activities.feed, foreign)).toBe(404)
    const summary = await alice.call(api.activities.summary, {
      ...call,
      query: { group_id: lenders, from: '2026-03-01', to: '2026-03-01' },
    })
    expect(summary).toMatchObject({ total: 1, people: [{ user_id: wendy.id }] })
  })

  it('is paged without gaps or duplicates', async () => {
    const minute = (at: number) => String(at).padStart(2, '0')
    await add(
      ...Array.from({ length: 60 }, (_, at) =>
        act(world.bob, `2026-03-01T12:${minute(at)}:00.000Z`, {
          message: `${at}`,
          subject_type: 'Asset',
          subject_id: 1,
        }),
      ),
    )
    const ids = await allOf(world.alice, { group_id: room.group_id })
    expect([ids.length, new Set(ids).size]).toEqual([61, 61])
  })
})

describe('the feed', () => {
  it('is confined to the own acts of a plain member, whatever they ask for', async () => {
    await add(act(world.alice, '2026-03-01T12:00:00.000Z'), act(world.bob, '2026-03-01T12:00:00.000Z'))
    expect(await lines(world.bob)).toEqual(['viewed this workspace'])
    expect(await lines(world.bob, { together: false, folder_id: 0 })).toEqual([])
    const others = { params: { workspace_id: room.workspace_id }, query: { user_id: world.alice.id } }
    expect(await world.bob.refused(api.activities.feed, others)).toMatchObject({ code: 404, message: 'User not found' })
  })

  it('refuses an invalid cursor', async () => {
    const status = (after: string) =>
      world.alice.statusOf(api.activities.feed, { params: { workspace_id: room.workspace_id }, query: { after } })
    expect(await status('yesterday')).toBe(422)
    expect(await status(`${'9'.repeat(14)}_9999999999`)).toBe(200)
  })
})

describe('an undo in the record', () => {
  const newest = async () => (await feed(world.alice)).events[0]

  it('of an own deletion says that it is one, and keeps the sentence of the wire', async () => {
    const workspace_id = room.workspace_id
    const folder = await room.folder('Finance')
    const deletionOf = async () => {
      await world.alice.call(api.folders.remove, { params: { id: folder }, query: { workspace_id } })
      return (await world.alice.call(api.trash.list, { query: { workspace_id } }))[0]?.deletion_id ?? ''
    }
    const restore = (deletion_id: string, undo?: boolean) =>
      world.alice.call(api.trash.restore, { params: { deletion_id }, body: { workspace_id, ...(undo && { undo }) } })
    await restore(await deletionOf())
    expect(await newest()).toMatchObject({ act: 'folder_restored' })
    await restore(await deletionOf(), true)
    expect(await newest()).toMatchObject({ act: 'folder_deletion_undone', message: 'restored the folder: Finance' })
  })

  it('of a removed end of access says so only if the caller removed that very date', async () => {
    const call = { params: { id: room.group_id } }
    const { workspace_id } = room
    const set = (expire_workspace_access_at: string, undo?: boolean) =>
      world.alice.call(api.groups.setAccessExpiry, {
        ...call,
        body: { workspace_id, group: { expire_workspace_access_at }, ...(undo && { undo }) },
      })
    const remove = () => world.alice.call(api.groups.removeAccessExpiry, { ...call, body: { workspace_id } })
    await set('2099-01-31', true)
    expect(await newest()).toMatchObject({ act: 'access_expiry_set' })
    await remove()
    await set('2099-01-31', true)
    expect(await newest()).toMatchObject({
      act: 'access_expiry_removal_undone',
      message: 'set workspace access to expire on 2099-01-31 for group: Bidders',
    })
    await remove()
    await set('2099-02-28', true)
    expect(await newest()).toMatchObject({ act: 'access_expiry_set' })
  })
})
