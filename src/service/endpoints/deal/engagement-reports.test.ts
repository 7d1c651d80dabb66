import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

// Bidders: bob and zoe, who see One. Lenders: max, who sees One and Two. Two people read, everyone else does not.

let service: TestService
let world: World
let room: Room
let [zoe, max]: Person[] = []
let lenders: number
let folders: { one: number; two: number; below: number }
let files: { plan: number; lease: number; deep: number }

const { engagement } = api
const inRoom = () => ({ params: { id: room.workspace_id } })

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  ;[zoe, max] = await Promise.all([createPerson(service, 'zoe'), createPerson(service, 'max')])
  lenders = (
    await world.alice.call(api.groups.create, {
      body: { group: { name: 'Lenders', workspace_id: room.workspace_id } },
    })
  ).id
  if (!zoe || !max) throw new Error('nobody')
  await addMember(world.alice, room.workspace_id, room.group_id, zoe)
  await addMember(world.alice, room.workspace_id, lenders, max)
  const [one, two] = [await room.folder('One'), await room.folder('Two')]
  folders = { one, two, below: await room.folder('Below', one) }
  await room.grant(one, 'view')
  for (const each of [one, two]) await room.grant(each, 'view', lenders)
  const add = async (folder: number, name: string) => (await room.upload(world.alice, folder, name, `${name} text`)).id
  files = {
    plan: await add(one, 'plan.pdf'),
    lease: await add(two, 'lease.pdf'),
    deep: await add(folders.below, 'deep.pdf'),
  }
  const sizes = Array.from({ length: 10 }, () => 100)
  await service.services.db
    .updateTable('documents')
    .set({ status: 'Ready', page_widths: sizes, page_heights: sizes })
    .execute()
  await read(world.bob, files.plan, { 1: 10_000, 2: 20_000, 3: 900 })
  await read(zoe, files.plan, { 1: 5000, 9: 1000 })
  await read(zoe, files.deep, { 4: 2000 })
  await read(max, files.lease, { 1: 60_000 })
  await read(world.alice, files.lease, { 1: 30_000 })
  await open(world.bob, files.plan, 'viewed', 3)
  await open(zoe, files.plan, 'downloaded', 2)
  await open(zoe, files.deep, 'viewed', 1)
  await open(max, files.lease, 'viewed', 1)
})
afterAll(() => service.close())

async function read(person: Person, file: number, pages: Record<number, number>): Promise<void> {
  const body = {
    workspace_id: room.workspace_id,
    version: 1,
    batch_id: randomUUID(),
    pages: Object.entries(pages).map(([page, ms]) => ({ page_number: Number(page), ms })),
  }
  await person.call(engagement.record, { params: { id: file }, body })
}

const open = (person: Person, file: number, verb: string, times: number) =>
  sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id)
    select ${room.workspace_id}, ${person.id}, 'Name', ${verb}, 'did', 'Asset', ${file}
    from generate_series(1, ${times}::int)`.execute(service.services.db)

describe('the engagement of groups', () => {
  it('has the time, the openings and what is not opened, most reading first', async () => {
    const { groups, from, to } = await world.alice.call(engagement.groups, inRoom())
    expect(Date.parse(to) - Date.parse(from)).toBe(13 * 86_400_000)
    const times = { first_at: expect.any(String), last_at: expect.any(String), former_ms: 0 }
    expect(groups).toEqual([
      {
        group_id: lenders,
        name: 'Lenders',
        members: 1,
        active: 1,
        ms: 60_000,
        days: [{ day: to, ms: 60_000 }],
        viewable: 3,
        opened: 1,
        views: 1,
        downloads: 0,
        ...times,
      },
      {
        group_id: room.group_id,
        name: 'Bidders',
        members: 2,
        active: 2,
        ms: 38_900,
        days: [{ day: to, ms: 38_900 }],
        viewable: 2,
        opened: 2,
        views: 4,
        downloads: 2,
        ...times,
      },
    ])
  })

  it('compares with as many days before, and counts only the period', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await sql`insert into reading_times (workspace_id, user_id, file_id, version, page, day, ms)
      select ${room.workspace_id}, ${max?.id ?? 0}, ${files.lease}, 1, 2, ${day(3)}::date, 7000`.execute(
      service.services.db,
    )
    const query = { from: day(2), to: day(0) }
    const { groups } = await world.alice.call(engagement.groups, { ...inRoom(), query })
    expect(groups[0]).toMatchObject({ group_id: lenders, ms: 60_000, former_ms: 7000 })
    const { groups: earlier } = await world.alice.call(engagement.groups, {
      ...inRoom(),
      query: { from: day(5), to: day(3) },
    })
    expect(earlier[0]).toMatchObject({ group_id: lenders, ms: 7000, opened: 0, active: 0, first_at: null })
    const { from, to } = await world.alice.call(engagement.groups, {
      ...inRoom(),
      query: { from: '0001-01-01', to: '9999-12-31' },
    })
    expect([from, to]).toEqual(['9998-12-31', '9999-12-31'])
    await sql`delete from reading_times where page = 2 and file_id = ${files.lease}`.execute(service.services.db)
  })
})

describe('the engagement with documents and folders', () => {
  it('tells files that are not opened from files without access, most read first', async () => {
    const { files: listed, pagination } = await world.alice.call(engagement.documents, inRoom())
    expect(pagination).toMatchObject({ total_items: 3, total_pages: 1 })
    expect(listed.map(({ title, outline, pages }) => [title, outline, pages])).toEqual([
      ['lease.pdf', '2.1', 10],
      ['plan.pdf', '1.2', 10],
      ['deep.pdf', '1.1.1', 10],
    ])
    const facts = listed.map(({ cells }) =>
      cells.map(({ group_id, access, ms, readers, views, downloads }) => [
        group_id,
        access,
        ms,
        readers,
        views,
        downloads,
      ]),
    )
    const [bidders] = [room.group_id]
    expect(facts).toEqual([
      [
        [bidders, false, 0, 0, 0, 0],
        [lenders, true, 60_000, 1, 1, 0],
      ],
      [
        [bidders, true, 36_900, 2, 3, 2],
        [lenders, true, 0, 0, 0, 0],
      ],
      [
        [bidders, true, 2000, 1, 1, 0],
        [lenders, true, 0, 0, 0, 0],
      ],
    ])
    const inside = await world.alice.call(engagement.documents, { ...inRoom(), query: { folder_id: folders.one } })
    expect(inside.files.map(({ title }) => title)).toEqual(['plan.pdf', 'deep.pdf'])
  })

  it('counts a group whose access has ended as one without access, with what it did before', async () => {
    const end = (day: string | null) =>
      sql`update groups set expire_workspace_access_at = ${day}::date where id = ${lenders}`.execute(
        service.services.db,
      )
    await end('2020-01-01')
    const ofLenders = <Cell extends { group_id: number }>(cells: Cell[]) =>
      cells.find(({ group_id }) => group_id === lenders)
    const { groups } = await world.alice.call(engagement.groups, inRoom())
    const { files: listed } = await world.alice.call(engagement.documents, inRoom())
    const { folders: below } = await world.alice.call(engagement.folders, inRoom())
    await end(null)
    expect(ofLenders(groups)).toMatchObject({ ms: 60_000, viewable: 0, opened: 0, views: 1 })
    expect(listed.map(({ cells }) => ofLenders(cells)?.access)).toEqual([false, false, false])
    expect(ofLenders(listed[0]?.cells ?? [])).toMatchObject({ ms: 60_000 })
    expect(below.map(({ cells }) => ofLenders(cells)?.access)).toEqual([false, false])
  })

  it('adds up everything below a folder', async () => {
    const { folders: listed } = await world.alice.call(engagement.folders, inRoom())
    const facts = listed.map(({ name, outline, cells }) => [
      name,
      outline,
      ...cells.map(({ access, ms }) => [access, ms]),
    ])
    expect(facts).toEqual([
      ['One', '1', [true, 38_900], [true, 0]],
      ['Two', '2', [false, 0], [true, 60_000]],
    ])
    const below = await world.alice.call(engagement.folders, { ...inRoom(), query: { folder_id: folders.one } })
    expect(below.folders.map(({ name, cells }) => [name, cells[0]?.ms])).toEqual([['Below', 2000]])
  })
})

describe('the engagement of people and with one file', () => {
  it('lists the members of groups, also those who did nothing', async () => {
    const { people } = await world.alice.call(engagement.people, inRoom())
    expect(people.map(({ user_name, ms, views, downloads }) => [user_name, ms, views, downloads])).toEqual([
      ['Max Tester', 60_000, 1, 0],
      ['Bob Tester', 30_900, 3, 0],
      ['Zoe Tester', 8000, 1, 2],
    ])
    const some = await world.alice.call(engagement.people, { ...inRoom(), query: { group_id: lenders } })
    expect(some.people.map(({ user_id }) => user_id)).toEqual([max?.id])
  })

  it('has each page, and where readers stop', async () => {
    const call = { params: { id: files.plan }, query: { workspace_id: room.workspace_id } }
    const { groups, people, pages, version, ms, readers } = await world.alice.call(engagement.file, call)
    expect({ pages, version, ms, readers }).toEqual({ pages: 10, version: 1, ms: 36_900, readers: 2 })
    expect(groups).toEqual([
      {
        group_id: room.group_id,
        name: 'Bidders',
        access: true,
        ms: 36_900,
        readers: 2,
        page_times: [
          { page_number: 1, ms: 15_000 },
          { page_number: 2, ms: 20_000 },
          { page_number: 3, ms: 900 },
          { page_number: 9, ms: 1000 },
        ],
        // Bob saw page 3 for less than a second.
        stops: [
          { page_number: 2, readers: 1 },
          { page_number: 9, readers: 1 },
        ],
      },
      { group_id: lenders, name: 'Lenders', access: true, ms: 0, readers: 0, page_times: [], stops: [] },
    ])
    expect(people.map(({ user_name, ms, pages: read, last_page }) => [user_name, ms, read, last_page])).toEqual([
      ['Bob Tester', 30_900, 3, 2],
      ['Zoe Tester', 6000, 2, 9],
    ])
    const other = world.alice.call(engagement.file, { ...call, query: { ...call.query, version: 7 } })
    await expect(other).rejects.toMatchObject({ code: 404 })
  })

  it('is nothing for members, also not about themselves', async () => {
    for (const each of [engagement.groups, engagement.documents, engagement.folders, engagement.people])
      await expect(world.bob.call(each, inRoom())).rejects.toMatchObject({ code: 403 })
    const call = { params: { id: files.plan }, query: { workspace_id: room.workspace_id } }
    await expect(world.bob.call(engagement.file, call)).rejects.toMatchObject({ code: 403 })
  })
})
