import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { getSheet, listRows } from './permission-sheet.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

const GROUP_IDS = [3, 1, 4, 2]
const groupsOf = (workspace: Workspace) => GROUP_IDS.map((id) => ({ id, kind: 'custom', workspace }) as never)

it.each([
  ['an admin', true],
  ['a member', false],
])('gives %s the same rights on levels in one pass as folder by folder', async (_, admin) => {
  const workspace = importedRoom(admin ? 1 : 2, admin)
  await importRoom(db, workspace.id, 40)
  // Without a right on the root, a member sees only some of the folders.
  await sql`delete from folder_permissions where workspace_id = ${workspace.id} and folder_id = 0`.execute(db)
  const all = Array.from({ length: 121 }, (_, at) => at)
  const rights: number[] = []
  for (const folder_ids of [all, [0], [4, 5, 9], all.filter((id) => id % 3 === 1)]) {
    const { rows } = await getSheet(db, workspace, groupsOf(workspace), { folder_ids })
    const places = rows.map((row) => ({ ...row, id_path: [] }))
    expect(rows).toEqual(await listRows(db, workspace, GROUP_IDS, places))
    expect(rows.length).toBeGreaterThan(0)
    rights.push(...rows.flatMap((row) => row.rights))
  }
  expect(rights.some((bits) => bits >= 8)).toBe(true)
})

it.each([
  ['an admin', true],
  ['a member', false],
])('K3: a level of twice the folders costs %s twice the reads, without statistics', async (_, admin) => {
  const reads = async (id: number, chains: number) => {
    const workspace = importedRoom(id, admin)
    await importRoom(db, id, chains)
    return db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      const { rows } = await getSheet(tx, workspace, groupsOf(workspace), { folder_ids: [0] })
      expect(rows).toHaveLength(chains + 1)
      return (await countReads(tx)) - before
    })
  }
  const first = admin ? 3 : 5
  const small = await reads(first, 100)
  expect(await reads(first + 1, 200)).toBeLessThan(3 * small)
})
