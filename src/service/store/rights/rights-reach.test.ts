import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { hasRight } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import {
  analyzeBefore17,
  countReads,
  importedRoom,
  importRoom,
  openImportedRooms,
} from '../../testing/imported-rooms.ts'
import { readReach } from './rights-reach.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

const room = (id: number) => importedRoom(id, true) as AdministeredWorkspace

interface Right {
  folder_id: number
  id_path: number[]
  group_id: number
  view: boolean
  download: boolean
  upload: boolean
}

/** The right of each group on each folder, one by one. */
async function listRights(workspaceId: number): Promise<Right[]> {
  const right = (flag: (typeof FLAGS)[number]) =>
    hasRight({ workspaceId: sql`f.workspace_id`, groupId: sql`g.id`, flag: sql.lit(flag), idPath: sql`f.id_path` })
  const { rows } = await sql<Right>`
    select f.id as folder_id, f.id_path, g.id as group_id, ${right('view')} as view, ${right('download')} as download,
      ${right('upload')} as upload
    from folders f join groups g on g.workspace_id = f.workspace_id
    where f.workspace_id = ${workspaceId} and f.deleted_at is null`.execute(db)
  return rows
}

it('counts the folders below that have each right, as one finds them folder by folder', async () => {
  await importRoom(db, 1, 40)
  await sql`update folders set deleted_at = now() where workspace_id = 1 and id in (13, 14, 15, 41, 42, 80, 81)`.execute(
    db,
  )
  const all = await listRights(1)
  const ids = [...new Set(all.map(({ folder_id }) => folder_id))].slice(0, 100)
  let mixed = 0
  for (const wanted of [ids, [0], [4, 5, 6], ids.filter((id) => id % 3 === 1)]) {
    const reach = await readReach(db, room(1), { folder_ids: wanted, group_ids: [] })
    expect(reach.map(({ folder_id }) => folder_id).toSorted()).toEqual(wanted.filter((id) => id !== 81).toSorted())
    for (const { folder_id, folders, groups } of reach) {
      const below = all.filter(({ id_path, folder_id: id }) => id_path.includes(folder_id) && id !== folder_id)
      for (const group_id of [1, 2, 3, 4]) {
        const own = all.find((each) => each.folder_id === folder_id && each.group_id === group_id)
        const inside = below.filter((each) => each.group_id === group_id)
        const told = groups.find((each) => each.group_id === group_id)
        for (const flag of FLAGS) {
          expect(told?.[flag] ?? false).toBe(own?.[flag])
          const having = inside.filter((each) => each[flag]).length
          const like = own?.[flag] ? inside.length : 0
          expect(told?.below ? told.below[flag] : like).toBe(having)
        }
        if (!told?.below) continue
        mixed++
        expect(folders).toBe(inside.length)
      }
    }
  }
  expect(mixed).toBeGreaterThan(50)
})

it('counts the files in each folder and below it only where they are asked for', async () => {
  await sql`update files set deleted_at = now() where workspace_id = 1 and folder_id in (5, 20)`.execute(db)
  const { rows } = await sql<{ id_path: number[] }>`
    select f.id_path from files x join folders f on f.workspace_id = x.workspace_id and f.id = x.folder_id
    where x.workspace_id = 1 and x.deleted_at is null and f.deleted_at is null`.execute(db)
  const ids = [0, 1, 4, 5, 20, 30]
  const reach = await readReach(db, room(1), { folder_ids: ids, group_ids: [], documents: true })
  for (const { folder_id, documents } of reach) {
    expect(documents).toBe(rows.filter(({ id_path }) => id_path.includes(folder_id)).length)
  }
  const [unasked] = await readReach(db, room(1), { folder_ids: [4], group_ids: [] })
  expect(unasked?.documents).toBeNull()
})

it('leaves out groups that were not asked for', async () => {
  const [reach] = await readReach(db, room(1), { folder_ids: [0], group_ids: [2] })
  expect(reach?.groups.map(({ group_id }) => group_id)).toEqual([2])
})

it('K3: counts each folder once, however many folders and groups are asked for', async () => {
  await importRoom(db, 2, 200)
  await analyzeBefore17(db)
  const reads = (ids: number[]) =>
    db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      await readReach(tx, room(2), { folder_ids: ids, group_ids: [], documents: true })
      return (await countReads(tx)) - before
    })
  const root = await reads([0])
  const top = Array.from({ length: 99 }, (_, at) => at * 3 + 1)
  expect(await reads([0, ...top])).toBeLessThan(2 * root)
})

it('tells that the overrides of a group are too many to count', async () => {
  await importRoom(db, 3, 20)
  await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select 3, 1000 + n, 0, 'Folder', 20 + n, array[0, 1000 + n], 1 from generate_series(1, 5200) n`.execute(db)
  await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select 3, 2, 'view', 1000 + n, array[0, 1000 + n], true from generate_series(1, 5200) n`.execute(db)
  const [reach] = await readReach(db, room(3), { folder_ids: [0], group_ids: [] })
  expect(reach?.groups.find(({ group_id }) => group_id === 2)?.below).toEqual({
    view: null,
    download: null,
    upload: null,
  })
  expect(reach?.groups.find(({ group_id }) => group_id === 3)?.below?.view).toBeGreaterThan(0)
})

it('K3: counts nothing for several folders of a large room, and everything for one', async () => {
  await importRoom(db, 4, 20)
  await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select 4, 1000 + n, 0, 'Folder', 20 + n, array[0, 1000 + n], 1 from generate_series(1, 20000) n`.execute(db)
  const [root, first] = await readReach(db, room(4), { folder_ids: [0, 1], group_ids: [] })
  expect([root?.folders, first?.folders]).toEqual([null, null])
  expect(root?.groups[0]?.below).toEqual({ view: null, download: null, upload: null })
  const [alone] = await readReach(db, room(4), { folder_ids: [0], group_ids: [] })
  expect(alone?.folders).toBe(20_060)
})
