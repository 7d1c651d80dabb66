import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { readDocuments, runJobs } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let lease: number
let survey: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  lease = (await room.upload(world.alice, 0, 'Lease.pdf')).id
  survey = (await room.upload(world.alice, 0, 'Survey.pdf')).id
  await service.services.db
    .insertInto('activities')
    .values([
      act(world.bob, 'viewed', lease, '2021-03-01T23:59:59.999Z'),
      act(world.bob, 'downloaded', lease, '2021-03-02T00:00:00.000Z'),
      act(world.alice, 'opened', lease, '2021-03-02T08:00:00.000Z'),
      act(world.alice, 'viewed', survey, '2021-03-04T08:00:00.000Z'),
      act(world.alice, 'updated', survey, '2021-03-04T08:30:00.000Z'),
      act(world.alice, 'updated', survey, '2021-03-04T09:00:00.000Z'),
      act(world.bob, 'viewed', 999_999, '2021-03-04T09:00:00.000Z'),
    ])
    .execute()
})
afterAll(() => service.close())

const act = (person: Person, verb: string, subject_id: number, created_at: string) => ({
  workspace_id: room.workspace_id,
  user_id: person.id,
  user_name: `${person.first_name} ${person.last_name}`,
  verb,
  message: `${verb} the file`,
  subject_type: 'Asset',
  subject_id,
  created_at,
})

const march = { from: '2021-03-01', to: '2021-03-31' }
const summary = (query: Call<typeof api.activities.summary>['query'] = march) =>
  world.alice.call(api.activities.summary, { params: { workspace_id: room.workspace_id }, query })

describe('the summary of activities', () => {
  it('counts a zip as a download of each of its files, and not of its folder', async () => {
    const own = await createRoom(world)
    const folder = await own.folder('Zipped')
    for (const name of ['one.txt', 'two.txt']) await own.upload(world.alice, folder, name)
    await readDocuments(service)
    const query = { workspace_id: own.workspace_id }
    await world.alice.call(api.downloads.create, { body: { ...query, download: { folder_ids: [folder] } } })
    await runJobs(service)
    const { people } = await world.alice.call(api.activities.summary, { params: query, query: {} })
    expect(people).toMatchObject([{ downloads: 2, files: 2 }])
  })

  it('counts each day in UTC and skips days without activity', async () => {
    const { total, days, from, to } = await summary()
    expect({ total, from, to }).toEqual({ total: 7, ...march })
    expect(days).toEqual([
      { day: '2021-03-01', views: 1, downloads: 0, others: 0 },
      { day: '2021-03-02', views: 1, downloads: 1, others: 0 },
      { day: '2021-03-04', views: 2, downloads: 0, others: 2 },
    ])
  })

  it('counts the days of a time zone', async () => {
    const { total, days } = await summary({ from: '2021-03-02', to: '2021-03-02', time_zone: 'Europe/Berlin' })
    expect({ total, days }).toEqual({ total: 3, days: [{ day: '2021-03-02', views: 2, downloads: 1, others: 0 }] })
    const params = { workspace_id: room.workspace_id }
    const query = { from: '2021-03-02', to: '2021-03-02', time_zone: 'Berlin' }
    const list = await world.alice.call(api.activities.list, { params, query })
    expect(list.events.map(({ created_at }) => created_at)).toEqual([
      '2021-03-02T08:00:00.000Z',
      '2021-03-02T00:00:00.000Z',
      '2021-03-01T23:59:59.999Z',
    ])
    const wrong = { ...query, time_zone: 'Nowhere' }
    expect(await world.alice.statusOf(api.activities.list, { params, query: wrong })).toBe(422)
  })

  it.each(['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'])(
    'K76: ends at the first and last day there is, in %s',
    async (time_zone) => {
      const params = { workspace_id: room.workspace_id }
      for (const day of ['0001-01-01', '9999-12-31']) {
        expect(await summary({ from: day, to: day, time_zone })).toMatchObject({ from: day, to: day, total: 0 })
        const query = { from: day, to: day, time_zone }
        expect((await world.alice.call(api.activities.list, { params, query })).events).toEqual([])
      }
      expect(await summary({ to: '9999-12-31', time_zone })).toMatchObject({ from: '9999-12-02', to: '9999-12-31' })
      const whole = { from: '0001-01-01', to: '9999-12-31', time_zone }
      const { events } = await world.alice.call(api.activities.list, { params, query: whole })
      expect(events.length).toBeGreaterThan(0)
    },
  )

  it('tells how often all files of a folder were read, by how many people, and when last', async () => {
    const inner = await room.folder('Inner', await room.folder('Outer'))
    const { id } = await room.upload(world.alice, inner, 'Plan.pdf')
    await service.services.db
      .insertInto('activities')
      .values([act(world.bob, 'viewed', id, '2021-03-05T08:00:00.000Z')])
      .execute()
    expect((await summary()).reading).toEqual({
      views: 5,
      downloads: 1,
      people: 2,
      last_at: '2021-03-05T08:00:00.000Z',
    })
    const ofFolder = await summary({ ...march, folder_id: inner })
    expect(ofFolder).toMatchObject({ total: 1, reading: { views: 1, downloads: 0, people: 1 } })
    await service.services.db
      .deleteFrom('activities')
      .where('subject_id', '=', id)
      .where('verb', '=', 'viewed')
      .execute()
    expect((await summary({ ...march, folder_id: inner })).reading).toEqual({
      views: 0,
      downloads: 0,
      people: 0,
      last_at: null,
    })
  })

  it('tells the same of a folder whose files are too many to be looked up one by one', async () => {
    const own = await createRoom(world)
    const { workspace_id } = own
    const [outer, aside] = [await own.folder('Outer'), await own.folder('Aside')]
    const inner = await own.folder('Inner', outer)
    const [kept, removed, other] = await Promise.all([
      own.upload(world.alice, inner, 'Kept.txt'),
      own.upload(world.alice, outer, 'Removed.txt'),
      own.upload(world.alice, aside, 'Other.txt'),
    ])
    const at = '2021-03-05T08:00:00.000Z'
    const acts = [kept, removed, other].flatMap(({ id }) => [
      act(world.bob, 'viewed', id, at),
      act(world.alice, 'downloaded', id, at),
    ])
    const onFolder = { ...act(world.bob, 'updated', kept.id, at), subject_type: 'Folder' }
    await service.services.db
      .insertInto('activities')
      .values([...acts, onFolder].map((each) => ({ ...each, workspace_id })))
      .execute()
    await world.alice.call(api.files.remove, { params: { id: removed.id }, query: { workspace_id } })
    const filters = [
      {},
      { user_id: world.bob.id },
      { verb: 'viewed' },
      { subject_id: kept.id },
      { subject_type: 'Folder' },
      { group_id: own.group_id },
    ]
    const read = () =>
      Promise.all(
        filters.map((filter) => {
          const query = { ...march, ...filter, folder_id: outer }
          return world.alice.call(api.activities.summary, { params: { workspace_id }, query })
        }),
      )
    const before = await read()
    expect(before.map(({ total }) => total)).toEqual([4, 2, 2, 2, 0, 2])
    await sql`
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
      select ${workspace_id}, ${inner}, 'Copy ' || n, n || '.txt', 100 + n, 1, 'text/plain', '\\x00', 'copy-' || n
      from generate_series(1, 2000) n`.execute(service.services.db)
    expect(await read()).toEqual(before)
  })

  it('names the most read files, including deleted ones', async () => {
    const { files } = await summary()
    expect(files).toEqual([
      { file_id: lease, folder_id: 0, title: 'Lease.pdf', deleted: false, views: 2, downloads: 1, people: 2 },
      { file_id: survey, folder_id: 0, title: 'Survey.pdf', deleted: false, views: 1, downloads: 0, people: 1 },
      { file_id: 999_999, folder_id: null, title: null, deleted: false, views: 1, downloads: 0, people: 1 },
    ])
  })

  it('names the most active users', async () => {
    const { people } = await summary()
    expect(people).toEqual([
      {
        user_id: world.alice.id,
        user_name: 'Alice Tester',
        views: 2,
        downloads: 0,
        others: 2,
        files: 2,
        last_active_at: '2021-03-04T09:00:00.000Z',
      },
      {
        user_id: world.bob.id,
        user_name: 'Bob Tester',
        views: 2,
        downloads: 1,
        others: 0,
        files: 2,
        last_active_at: '2021-03-04T09:00:00.000Z',
      },
    ])
  })

  it('takes the filters of the feed', async () => {
    const { total, files } = await summary({ ...march, user_id: world.bob.id, verb: 'viewed' })
    expect([total, files.map(({ file_id }) => file_id)]).toEqual([2, [lease, 999_999]])
    expect((await summary({ ...march, subject_type: 'Folder' })).total).toBe(0)
    expect((await summary({ ...march, subject_id: survey })).total).toBe(3)
  })

  it('covers the last 30 days by default, and at most 366', async () => {
    const now = new Date()
    const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10)
    service.setClock(now)
    try {
      expect(await summary({})).toMatchObject({ from: day(29), to: day(0) })
      expect(await summary({ from: '2001-01-01' })).toMatchObject({ from: day(365), to: day(0) })
      expect(await summary({ to: '2021-03-01' })).toMatchObject({ from: '2021-01-31', to: '2021-03-01', total: 1 })
      expect(await summary({ to: '0001-01-01' })).toMatchObject({ to: '0001-01-01', total: 0 })
      expect(await summary({ from: '2199-01-01' })).toMatchObject({ from: '2199-01-01', to: '2199-01-01', total: 0 })
    } finally {
      service.setClock(undefined)
    }
  })
})

type Unread = Reply<typeof api.activities.unread>

describe('the unread files of a group', () => {
  const unread = (query = {}): Promise<Unread> =>
    world.alice.call(api.activities.unread, {
      params: { workspace_id: room.workspace_id, group_id: room.group_id },
      query,
    })
  const titles = ({ files }: Unread) => files.map(({ title }) => title)
  let folder_id: number

  beforeAll(async () => {
    folder_id = await room.folder('Finance')
    await room.upload(world.alice, folder_id, 'Forecast.xlsx')
    await room.upload(world.alice, folder_id, 'Budget.xlsx')
  })

  it('are none if the group may not view anything', async () => {
    expect(await unread()).toMatchObject({ members: 1, viewable: 0, files: [], pagination: { total_items: 0 } })
  })

  it('are those it may view and no member has opened, newest first, with their paths', async () => {
    await room.grant(folder_id, 'view')
    const report = await unread()
    expect(report).toMatchObject({ group_id: room.group_id, viewable: 2, pagination: { total_items: 2 } })
    expect(report.files.map(({ title, path }) => `${path} ${title}`)).toEqual([
      '/Finance Budget.xlsx',
      '/Finance Forecast.xlsx',
    ])
  })

  it('exclude files a member opened; files an admin opened still count as unread', async () => {
    const [budget, forecast] = (await unread()).files
    const now = new Date().toISOString()
    await service.services.db
      .insertInto('activities')
      .values([
        act(world.bob, 'viewed', forecast?.file_id ?? 0, now),
        act(world.alice, 'viewed', budget?.file_id ?? 0, now),
      ])
      .execute()
    expect(titles(await unread())).toEqual(['Budget.xlsx'])
  })

  it('are paged, and empty far beyond the end', async () => {
    expect((await unread({ page: 2 })).files).toEqual([])
    expect(titles(await unread({ page: 2_147_483_647 }))).toEqual([])
  })

  it('are 404 for a group of another workspace', async () => {
    const params = { workspace_id: room.workspace_id, group_id: world.group_id }
    expect(await world.alice.statusOf(api.activities.unread, { params })).toBe(404)
  })
})
