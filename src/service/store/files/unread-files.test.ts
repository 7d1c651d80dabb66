import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { viewable } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { listUnreadFiles } from './unread-files.ts'

const CHAINS = 100
const PAGE = { page: 1, per_page: 1000 }

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  for (const id of [1, 2]) await importRoom(db, id, CHAINS)
})
afterAll(() => close())

const viewedBy = (group_ids: number[], admin = false): Workspace => ({ ...importedRoom(1, admin), group_ids })

const report = (workspace: Workspace, tx = db) => listUnreadFiles(tx, { id: 1 } as never, workspace, PAGE)

/** The same by a judgement of each folder. */
async function judged(workspace: Workspace): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select f.id from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
    where f.workspace_id = 1 and ${viewable(workspace, sql`d.id_path`)} order by f.created_at desc, f.id desc`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

it.each([1, 2, 3, 4])('the files that group %i may view are those in folders that it may view', async (group) => {
  const { viewable: count, total_items, files } = await report(viewedBy([group]))
  const expected = await judged(viewedBy([group]))
  expect(expected.length).toBeGreaterThan(10)
  expect([files.map(({ file_id }) => file_id), count, total_items]).toEqual([
    expected,
    expected.length,
    expected.length,
  ])
})

it('a group without access views nothing, and one of admins everything', async () => {
  expect(await report(viewedBy([]))).toMatchObject({ viewable: 0, files: [] })
  expect(await report(viewedBy([], true))).toMatchObject({ viewable: 3 * CHAINS })
})

it('a deep override inside another one of the same value ends where its own subtree ends', async () => {
  await sql`delete from folder_permissions where workspace_id = 1 and group_id = 1`.execute(db)
  const set = (folder: number, value: boolean) =>
    sql`
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select workspace_id, 1, 'view', id, id_path, ${value} from folders where workspace_id = 1 and id = ${folder}`.execute(
      db,
    )
  await Promise.all([set(1, true), set(2, true), set(3, false), set(7, true), set(8, false), set(9, true)])
  expect((await report(viewedBy([1]))).files.map(({ file_id }) => file_id).toSorted()).toEqual([1, 2, 7, 9])
})

it('K39: folders that a group may not view are not read', async () => {
  await db.transaction().execute(async (tx) => {
    const before = await countReads(tx)
    await report(viewedBy([1]), tx)
    expect((await countReads(tx)) - before).toBeLessThan(2 * CHAINS)
  })
})
