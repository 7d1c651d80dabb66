import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { viewable } from '../../access/grants.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { listEngagedGroups } from './engaged-groups.ts'

const CHAINS = 100
const PERIOD = { from: '2026-11-01', to: '2026-11-30' }
const ROOM = importedRoom(1, true)

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  for (const id of [1, 2]) await importRoom(db, id, CHAINS)
  await sql`insert into users (organization_id, id, email, token_hash, token_sealed)
    select 1, n, n || '@example.com', sha256(n::text::bytea), '' from generate_series(1, 4) n`.execute(db)
  await sql`insert into workspace_memberships (workspace_id, user_id, organization_id)
    select 1, n, 1 from generate_series(1, 4) n`.execute(db)
  await sql`insert into group_memberships (workspace_id, group_id, user_id)
    select 1, n, n from generate_series(1, 4) n union all select 1, 2, 1`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
    select 1, n % 5, 'Someone', 'viewed', 'viewed', 'Asset', n / 2, date '2026-11-10' from generate_series(1, 400) n`.execute(
    db,
  )
  await sql`update files set deleted_at = now() where workspace_id = 1 and id % 11 = 0`.execute(db)
  await sql`update folders set deleted_at = now() where workspace_id = 1 and id % 50 = 3`.execute(db)
})
afterAll(() => close())

const report = (tx = db) => listEngagedGroups(tx, ROOM as never, PERIOD)

/** The same by a judgement of each folder and file. */
async function judged(group_id: number): Promise<[viewable: number, opened: number]> {
  const { rows: files } = await sql<{ id: number }>`
    select f.id from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
    where f.workspace_id = 1 and f.deleted_at is null and d.deleted_at is null
      and ${viewable({ ...ROOM, admin: false, group_ids: [group_id] }, sql`d.id_path`)}`.execute(db)
  const { rows: acts } = await sql<{ id: number }>`
    select a.subject_id as id from group_memberships m join activities a on a.user_id = m.user_id
    where m.workspace_id = 1 and m.group_id = ${group_id} and a.workspace_id = 1`.execute(db)
  const touched = new Set(acts.map(({ id }) => id))
  return [files.length, files.filter(({ id }) => touched.has(id)).length]
}

it('reads each folder once, however many groups view it', async () => {
  const reads = () =>
    db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      await report(tx)
      return (await countReads(tx)) - before
    })
  const few = await reads()
  await sql`insert into groups (workspace_id, id, name) select 1, n, 'Group' from generate_series(5, 44) n`.execute(db)
  await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select 1, n, 'view', 0, '{0}'::int[], true from generate_series(5, 44) n`.execute(db)
  expect(await reads()).toBeLessThan(few + 40 * 5)
  expect((await report()).filter(({ group_id }) => group_id > 4).map((group) => group.viewable)).toEqual(
    Array.from({ length: 40 }, () => expect.any(Number)),
  )
})

it('counts the files that each group may view, and those of them that its members opened', async () => {
  // The judgement of each folder is slow without statistics.
  await sql`analyze`.execute(db)
  const groups = (await report()).filter(({ group_id }) => group_id <= 4)
  expect(groups).toHaveLength(4)
  for (const { group_id, viewable: all, opened } of groups) {
    expect(all).toBeGreaterThan(opened)
    expect(opened).toBeGreaterThan(10)
    expect([group_id, all, opened]).toEqual([group_id, ...(await judged(group_id))])
  }
})
