import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Flag, FLAGS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf } from '../../../contract/rules.ts'
import { visible } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { type Fragment, hasRight, isBelow } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { shownSubfolders } from '../folders/subfolders.ts'
import { getSheet, type SheetPlace } from './permission-sheet.ts'

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
  const whole = await getSheet(db, workspace, groupsOf(workspace), { folder_ids: [], below: 0 })
  const places = whole.rows.map((row) => ({ ...row, id_path: [] }))
  expect(whole.rows).toEqual(await listRows(db, workspace, GROUP_IDS, places))
  expect(whole.rows.length).toBe(admin ? 121 : (await listVisible(workspace)).length)
})

/** The folders that a member sees, and the root. */
async function listVisible(workspace: Workspace): Promise<unknown[]> {
  const { rows } = await sql`select id from folders f where workspace_id = ${workspace.id}
    and (id = 0 or ${visible(workspace, sql`f.id_path`)})`.execute(db)
  return rows
}

it('K34: the folders that a member does not see cost nothing in the sheet of all folders', async () => {
  const reads = async (id: number, chains: number) => {
    const workspace = { ...importedRoom(id, false), group_ids: [2] }
    await importRoom(db, id, chains)
    await sql`delete from folder_permissions where workspace_id = ${id} and (group_id <> 2 or folder_id > 60)`.execute(
      db,
    )
    return db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      const { rows } = await getSheet(tx, workspace, groupsOf(workspace), { folder_ids: [], below: 0 })
      expect(rows.length).toBeGreaterThan(10)
      return (await countReads(tx)) - before
    })
  }
  expect(await reads(8, 400)).toBe(await reads(7, 100))
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

/** Evaluates each visible folder by itself: the folders below it need not be in the page. */
async function listRows(db: Db, workspace: Workspace, groupIds: readonly number[], places: readonly SheetPlace[]) {
  const bits = FLAGS.flatMap((flag) => [
    sql`flags.${sql.ref(flag)}::int * ${sql.lit(bitOf(flag))}`,
    sql`flags.${sql.ref(`is_mixed_${flag}`)}::int * ${sql.lit(bitOf(flag) << MIXED_SHIFT)}`,
  ])
  const { rows } = await sql<SheetPlace & { children: number; rights: number[] }>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, ${shownSubfolders(workspace)} as children,
      array(select ${sql.join(bits, sql` + `)}
        from unnest(${groupIds}::int[]) with ordinality wanted (id, place)
        cross join lateral ${folderFlags(workspace, sql`wanted.id`)} flags order by wanted.place) as rights
    from folders f
    where f.workspace_id = ${workspace.id} and f.id = any(${places.map(({ id }) => id)}::int[])
      and f.deleted_at is null
    order by f.id_path`.execute(db)
  return rows
}

/**
 * Flags of a group on the folder `f`, for a lateral join: the value of the nearest row, and whether the value differs
 * among the descendants that the caller can see.
 */
function folderFlags(workspace: Workspace, groupId: Fragment) {
  const right = (flag: Flag) =>
    hasRight({ workspaceId: sql`f.workspace_id`, groupId, flag: sql.lit(flag), idPath: sql`f.id_path` })
  const mixed = (flag: Flag) => isMixed(workspace, groupId, flag, sql.ref(`own.${flag}`))
  return sql`(
    select own.view, ${mixed('view')} as is_mixed_view, own.download, ${mixed('download')} as is_mixed_download,
      own.upload, ${mixed('upload')} as is_mixed_upload
    from (select ${right('view')} as view, ${right('download')} as download, ${right('upload')} as upload) own)`
}

/**
 * Whether some descendants have the value v and some do not: a row ≠ v below, and a child that inherits v or a row = v
 * below. A hidden folder has nothing visible below it, so its rows and the rows below it say nothing about visible
 * folders.
 */
function isMixed(workspace: Workspace, groupId: Fragment, flag: Flag, value: ReturnType<typeof sql.ref>) {
  const below = sql`select from folder_permissions p where p.workspace_id = f.workspace_id and p.group_id = ${groupId}
    and p.flag = ${sql.lit(flag)} and ${isBelow(sql`p.id_path`, sql`f.id_path`)}
    and ${visible(workspace, sql`p.id_path`)}`
  const inheritingChild = sql`select from folders c where c.workspace_id = f.workspace_id and c.parent_id = f.id
    and c.deleted_at is null and ${visible(workspace, sql`c.id_path`)}
    and not exists (select from folder_permissions p where p.workspace_id = c.workspace_id
      and p.group_id = ${groupId} and p.folder_id = c.id and p.flag = ${sql.lit(flag)})`
  return sql`(exists (${below} and p.value <> ${value}) and (exists (${below} and p.value = ${value}) or exists (${inheritingChild})))`
}
