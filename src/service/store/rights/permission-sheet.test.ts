import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visible } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { inOnePass } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { listRows, listRowsInOnePass, type SheetPlace } from './permission-sheet.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

/** The folders that a member sees: by default those at the top. */
async function placesOf(workspace: Workspace, ids?: readonly number[]): Promise<SheetPlace[]> {
  const { rows } = await sql<SheetPlace>`
    select id, coalesce(parent_id, 0) as parent_id, name, index, id_path from folders
    where workspace_id = ${workspace.id} and (id = 0 or ${visible(workspace, sql`id_path`)}) and ${ids ? sql`id = any(${ids}::int[])` : sql`parent_id = 0`} order by id_path`.execute(
    db,
  )
  return rows
}

it.each([
  ['an admin', true],
  ['a member', false],
])('gives %s the same rows in one pass as folder by folder', async (_, admin) => {
  const workspace = importedRoom(admin ? 1 : 2, admin)
  await importRoom(db, workspace.id, 40)
  // Without a right on the root, a member sees only some of the folders.
  await sql`delete from folder_permissions where workspace_id = ${workspace.id} and folder_id = 0`.execute(db)
  const all = Array.from({ length: 121 }, (_, at) => at)
  for (const ids of [all, [0], [4, 5, 9], all.filter((id) => id % 3 === 1)]) {
    const places = await placesOf(workspace, ids)
    const each = await listRows(db, workspace, [3, 1, 4, 2], places)
    const level = places.map((place, at) => ({ ...place, children: each[at]?.children ?? 0 }))
    expect(await listRowsInOnePass(db, workspace, [3, 1, 4, 2], level)).toEqual(each)
    expect(each.length).toBeGreaterThan(0)
    expect(each.flatMap(({ rights }) => rights).some((rights) => rights >= 8)).toBe(true)
  }
})

it.each([
  ['an admin', true],
  ['a member', false],
])('K3: a level of twice the folders costs %s twice the reads, without statistics', async (_, admin) => {
  const reads = async (id: number, chains: number) => {
    const workspace = importedRoom(id, admin)
    await importRoom(db, id, chains)
    const places = await placesOf(workspace)
    return db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      const level = places.map((place) => ({ ...place, children: 1 }))
      const rows = await inOnePass(tx, () => listRowsInOnePass(tx, workspace, workspace.group_ids, level))
      expect(rows).toHaveLength(chains)
      return (await countReads(tx)) - before
    })
  }
  const first = admin ? 3 : 5
  const small = await reads(first, 100)
  expect(await reads(first + 1, 200)).toBeLessThan(3 * small)
})
