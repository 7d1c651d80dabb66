import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let workspace_id: number
let group_id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const body = { workspace: { name: 'Fresh', team_id: world.team_id } }
  workspace_id = (await world.alice.call(api.workspaces.create, { body })).id
  group_id = (await world.alice.call(api.groups.create, { body: { group: { name: 'Bidders', workspace_id } } })).id
  await addMember(world.alice, workspace_id, group_id, world.bob)
  await world.bob.call(api.workspaces.get, { params: { id: workspace_id } })
  await service.services.db
    .insertInto('activities')
    .values(['2020-01-31T23:59:59.999Z', '2020-02-01T00:00:00.000Z', '2020-02-01T23:59:59.999Z'].map(oldAct))
    .execute()
})
afterAll(() => service.close())

const oldAct = (created_at: string) => ({
  workspace_id,
  user_id: world.alice.id,
  user_name: 'Alice Tester',
  verb: 'viewed',
  message: `viewed at ${created_at}`,
  subject_type: 'Asset',
  subject_id: 7,
  created_at,
})

const userNotFound = { code: 404, message: 'User not found' }

const list = (person: World['bob'], query = {}) => person.call(api.activities.list, { params: { workspace_id }, query })
const messages = async (person: World['bob'], query = {}) =>
  (await list(person, query)).events.map((event) => event.message)

describe('the activities of a workspace', () => {
  it('are listed newest first, with the name of the actor', async () => {
    const { events, pagination } = await list(world.alice)
    expect(pagination).toEqual({ total_items: 9, total_pages: 1, page: 1, per_page: 100 })
    expect(events.map((event) => `${event.user_name} ${event.message}`).slice(0, 6)).toEqual([
      'Bob Tester viewed this workspace',
      'Bob Tester joined this Workspace',
      'Alice Tester added Bob Tester to this workspace',
      'Alice Tester added Bob Tester to group Bidders',
      'Alice Tester added the group: Bidders',
      'Alice Tester joined this Workspace',
    ])
    expect(events[0]).toMatchObject({ verb: 'viewed', subject_type: 'Workspace', subject_id: workspace_id })
    expect(events[1]).toMatchObject({ verb: 'joined', subject_type: null, subject_id: null })
  })

  it('I7, D1: a plain member gets only their own, whatever filter they send', async () => {
    expect(await messages(world.bob)).toEqual(['viewed this workspace', 'joined this Workspace'])
    const others = { params: { workspace_id }, query: { user_id: world.alice.id } }
    expect(await world.bob.refused(api.activities.list, others)).toMatchObject(userNotFound)
    expect((await list(world.bob, { user_id: world.bob.id })).pagination.total_items).toBe(2)
  })

  it('leave out the own acts on request: to a plain member nothing stays', async () => {
    const { events, pagination } = await list(world.alice, { others: true })
    expect(events.map(({ user_id }) => user_id)).toEqual([world.bob.id, world.bob.id])
    expect(pagination.total_items).toBe(2)
    expect((await list(world.alice, { others: false })).pagination.total_items).toBe(9)
    const own = await list(world.alice, { others: true, user_id: world.alice.id })
    expect(own.pagination.total_items).toBe(7)
    const none = await list(world.bob, { others: true })
    expect(none).toMatchObject({ events: [], pagination: { total_items: 0, total_pages: 0 } })
  })

  it('of a user unknown to the workspace are refused', async () => {
    const by = (user_id: number) => ({ params: { workspace_id }, query: { user_id } })
    expect(await world.alice.refused(api.activities.list, by(world.mallory.id))).toMatchObject(userNotFound)
    expect(await world.alice.refused(api.activities.list, by(2_147_483_647))).toMatchObject(userNotFound)
    const quiet = { params: { workspace_id }, query: { user_id: world.bob.id, verb: 'nothing' } }
    expect((await world.alice.call(api.activities.list, quiet)).events).toEqual([])
  })

  it('are filtered by user, verb and subject', async () => {
    expect((await list(world.alice, { user_id: world.bob.id })).pagination.total_items).toBe(2)
    expect(await messages(world.alice, { verb: 'joined' })).toHaveLength(2)
    expect(await messages(world.alice, { subject_type: 'Group', subject_id: group_id })).toEqual([
      'added the group: Bidders',
    ])
    expect(await messages(world.alice, { subject_type: 'Asset', subject_id: 8 })).toEqual([])
  })

  it('are filtered by days, both inclusive, in UTC', async () => {
    expect(await messages(world.alice, { from: '2020-02-01', to: '2020-02-01' })).toEqual([
      'viewed at 2020-02-01T23:59:59.999Z',
      'viewed at 2020-02-01T00:00:00.000Z',
    ])
    expect((await list(world.alice, { to: '2020-01-31' })).pagination.total_items).toBe(1)
    expect((await list(world.alice, { from: '2199-01-01' })).pagination.total_items).toBe(0)
  })

  it('are refused for an invalid day or an unsupported page size', async () => {
    const status = (query: object) => world.alice.statusOf(api.activities.list, { params: { workspace_id }, query })
    expect(await status({ from: '2020-02-30' })).toBe(422)
    expect(await status({ from: '0000-01-01' })).toBe(422)
    expect(await status({ per_page: 10 })).toBe(422)
    expect(await status({ page: 0 })).toBe(422)
  })

  it('are paged without gaps or duplicates, and empty far beyond the end', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => oldAct(`2019-01-01T00:00:${String(at).padStart(2, '0')}.000Z`))
    await service.services.db.insertInto('activities').values(rows).execute()
    const query = { to: '2019-12-31', per_page: 25 }
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(world.alice, { ...query, page })))
    expect(pages[0]?.pagination).toEqual({ total_items: 60, total_pages: 3, page: 1, per_page: 25 })
    const ids = pages.flatMap((page) => page.events.map((event) => event.id))
    expect(new Set(ids).size).toBe(60)
    expect((await list(world.alice, { page: 2_147_483_647 })).events).toEqual([])
  })

  it('are counted correctly while new ones arrive', async () => {
    const total = async () => (await list(world.bob)).pagination.total_items
    const before = await total()
    const act = { ...oldAct(''), user_id: world.bob.id }
    const insert = (created_at: Date) =>
      service.services.db
        .insertInto('activities')
        .values({ ...act, created_at })
        .execute()
    for (const _ of [1, 2, 3]) await insert(new Date())
    expect(await total()).toBe(before + 3)
    expect(await total()).toBe(before + 3)
    await insert(new Date())
    expect(await total()).toBe(before + 4)
  })

  it('have their act and its parameters', async () => {
    const { events } = await list(world.alice, { verb: 'created', subject_type: 'GroupMembership' })
    expect(events).toMatchObject([
      { act: 'group_member_added', params: { user: 'Bob Tester', group: 'Bidders' }, message: expect.any(String) },
    ])
  })

  it('from before acts were stored have an act too, read from the message', async () => {
    const stored = { ...oldAct('2018-01-01T00:00:00.000Z'), message: 'viewed the file: plan.pdf' }
    const other = { ...oldAct('2018-01-01T00:00:01.000Z'), verb: 'invented', message: 'did what no version knows' }
    await service.services.db.insertInto('activities').values([stored, other]).execute()
    expect((await list(world.alice, { to: '2018-12-31' })).events).toMatchObject([
      { act: null, params: {}, message: 'did what no version knows' },
      { act: 'file_viewed', params: { title: 'plan.pdf' }, message: 'viewed the file: plan.pdf' },
    ])
  })
})
