import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { sweepReadingTimes } from '../../store/engagement/reading-times.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
let file: number
let now: Date

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
afterEach(() => service.setClock(undefined))
beforeEach(async () => {
  room = await createRoom(world)
  const folder = await room.folder('One')
  await room.grant(folder, 'view')
  file = await withPages(await room.upload(world.alice, folder, 'plan.pdf', 'a plan'), 12)
  now = new Date()
  service.setClock(now)
})

async function withPages({ id }: { id: number }, count: number): Promise<number> {
  const { db } = service.services
  const blobs = db.selectFrom('file_versions').select('blob_id').where('file_id', '=', id)
  const sizes = Array.from({ length: count }, () => 100)
  const change = { status: 'Ready' as const, page_widths: sizes, page_heights: sizes }
  await db.updateTable('documents').set(change).where('blob_id', 'in', blobs).execute()
  return id
}

const batch = (pages: Record<number, number>, batch_id: string = randomUUID(), version = 1) => ({
  params: { id: file },
  body: {
    workspace_id: room.workspace_id,
    version,
    batch_id,
    pages: Object.entries(pages).map(([page, ms]) => ({ page_number: Number(page), ms })),
  },
})
const tell = (call: ReturnType<typeof batch>, person: Person = world.bob) => person.call(api.engagement.record, call)
const times = async (person: Person = world.bob) => {
  const rows = await service.services.db
    .selectFrom('reading_times')
    .select(['page', 'ms'])
    .where('workspace_id', '=', room.workspace_id)
    .where('user_id', '=', person.id)
    .orderBy('day')
    .orderBy('page')
    .execute()
  return rows.map(({ page, ms }) => [page, ms])
}
/** Signatures are as old as the clock, so the readers' past moves instead. */
const pass = (seconds: number) =>
  sql`update reading_clocks set used_until = used_until - ${seconds}::int * interval '1 s'`.execute(service.services.db)
const settings = (workspace: object) =>
  world.alice.call(api.workspaces.update, { params: { id: room.workspace_id }, body: { workspace } })

describe('a batch of reading times', () => {
  it('adds to the page of the day, and counts once when it comes twice', async () => {
    const first = batch({ 1: 9000, 2: 6000 })
    await tell(first)
    await Promise.all([tell(first), tell(first)])
    await pass(15)
    await tell(batch({ 2: 15_000 }))
    await tell(first)
    expect(await times()).toEqual([
      [1, 9000],
      [2, 21_000],
    ])
    await sql`update reading_times set day = day - 1`.execute(service.services.db)
    await tell(batch({ 2: 1000 }))
    expect(await times()).toHaveLength(3)
  })

  it('may name a page several times', async () => {
    const call = batch({ 1: 2000 })
    await tell({ ...call, body: { ...call.body, pages: [...call.body.pages, { page_number: 1, ms: 3000 }] } })
    expect(await times()).toEqual([[1, 5000]])
  })

  test('K91: nobody can tell of more time than has passed, however many batches and files', async () => {
    await tell(batch({ 1: 100_000, 2: 20_000 }))
    await expect(tell(batch({ 3: 1000 }))).rejects.toMatchObject({ code: 409 })
    await pass(30)
    await expect(tell(batch({ 3: 31_000 }))).rejects.toMatchObject({ code: 409 })
    await tell(batch({ 3: 30_000 }))
    // Short batches cost a second each.
    await pass(10)
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => tell(batch({ 4: 1 }))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await pass(3_600)
    await expect(tell(batch({ 1: 100_000, 2: 20_001 }))).rejects.toMatchObject({ code: 409 })
    const sum = (await times()).reduce((all, [, ms = 0]) => all + ms, 0)
    expect(sum).toBeLessThanOrEqual(120_000 + 40_000)
    await tell(batch({ 1: 5000 }), world.alice)
  })

  test('K91: pages that were passed by leave no rows', async () => {
    await tell(batch({ 1: 99, 2: 100, 3: 1 }))
    expect(await times()).toEqual([[2, 100]])
    await tell(batch({ 1: 1 }))
    expect(await times()).toEqual([[2, 100]])
    await expect(tell(batch({ 13: 1 }))).rejects.toMatchObject({ code: 404 })
  })

  it('is refused for pages, versions and files that the caller cannot see', async () => {
    await expect(tell(batch({ 13: 1000 }))).rejects.toMatchObject({ code: 404 })
    await expect(tell(batch({ 1: 1000 }, randomUUID(), 2))).rejects.toMatchObject({ code: 404 })
    await expect(tell(batch({ 1: 1000 }), world.mallory)).rejects.toMatchObject({ code: 404 })
    file = await withPages(await room.upload(world.alice, await room.folder('Hidden'), 'secret.pdf', 'hidden'), 3)
    await expect(tell(batch({ 1: 1000 }))).rejects.toMatchObject({ code: 404 })
    await expect(tell(batch({ 1: 1000 }, randomUUID(), 9), world.alice)).rejects.toMatchObject({ code: 404 })
    for (const pages of [[], Array.from({ length: 101 }, () => ({ page_number: 1, ms: 1 }))])
      await expect(tell({ ...batch({}), body: { ...batch({}).body, pages } })).rejects.toMatchObject({ code: 422 })
    for (const ms of [-5, 1.5]) await expect(tell(batch({ 1: ms }))).rejects.toMatchObject({ code: 400 })
    for (const ms of [0, 120_001]) await expect(tell(batch({ 1: ms }))).rejects.toMatchObject({ code: 422 })
    expect(await times()).toEqual([])
  })

  it('is refused while the workspace does not measure, and the record says who switched that', async () => {
    expect(await settings({ measures_reading: false })).toMatchObject({ measures_reading: false })
    await expect(tell(batch({ 1: 1000 }))).rejects.toMatchObject({ code: 409 })
    await settings({ measures_reading: true, reading_kept_days: 30 })
    await tell(batch({ 1: 1000 }))
    const lines = await (await world.alice.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`)).text()
    for (const message of ['ended the measuring', 'had reading times measured', 'are kept: 30 days'])
      expect(lines).toContain(message)
  })
})

describe('reading times', () => {
  it('are removed when they are as old as the workspace says', async () => {
    await tell(batch({ 1: 4000 }))
    await settings({ reading_kept_days: 30 })
    await sweepReadingTimes(service.services.db, new Date(now.getTime() + 30 * 86_400_000))
    expect(await times()).toHaveLength(1)
    await sweepReadingTimes(service.services.db, new Date(now.getTime() + 31 * 86_400_000))
    expect(await times()).toEqual([])
  })

  it('are removed some thousands at a time', async () => {
    const { db } = service.services
    await sql`insert into reading_times (workspace_id, user_id, file_id, version, page, day, ms)
      select ${room.workspace_id}, ${world.bob.id}, ${file}, 1, n, date '2020-01-01', 1 from generate_series(1, 12000) n`.execute(
      db,
    )
    await sql`create table removals (removed int)`.execute(db)
    await sql`create function note_removal() returns trigger language plpgsql as $$
      begin insert into removals select count(*) from gone; return null; end $$`.execute(db)
    await sql`create trigger note_removal after delete on reading_times referencing old table as gone
      for each statement execute function note_removal()`.execute(db)
    await sweepReadingTimes(db, now)
    await sql`drop trigger note_removal on reading_times`.execute(db)
    const { rows } = await sql<{ removed: number }>`select removed from removals`.execute(db)
    expect(rows.map(({ removed }) => removed)).toEqual([5000, 5000, 2000])
    expect(await times()).toEqual([])
  })

  it('are erased with the person', async () => {
    const zoe = await createPerson(service, 'zoe')
    await addMember(world.alice, room.workspace_id, room.group_id, zoe)
    await tell(batch({ 1: 4000 }), zoe)
    await tell(batch({ 1: 4000 }))
    await world.olivia.call(api.users.remove, { query: { user: { id: zoe.id }, erase: true } })
    expect(await times(zoe)).toEqual([])
    expect(await times()).toHaveLength(1)
    const clocks = service.services.db.selectFrom('reading_clocks').select('user_id').where('user_id', '=', zoe.id)
    expect(await clocks.execute()).toEqual([])
  })
})
