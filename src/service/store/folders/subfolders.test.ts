import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import {
  analyzeBefore17,
  countReads,
  importedRoom,
  importRoom,
  openImportedRooms,
} from '../../testing/imported-rooms.ts'
import { allSubfolders, look, shownSubfolders } from './subfolders.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

interface Folder {
  id: number
  parent_id: number | null
  path: number[]
  /** The overrides of view, by group. */
  own: Map<number, boolean>
}

const GROUPS = [1, 2, 3]
/** The parent of folder `n + 1`, and its overrides. */
const node = fc.record({
  parent: fc.nat(),
  own: fc.array(fc.tuple(fc.constantFrom(...GROUPS), fc.boolean()), { maxLength: 2 }),
})
const rooms = fc.record({
  root: fc.array(fc.tuple(fc.constantFrom(...GROUPS), fc.boolean()), { maxLength: 2 }),
  nodes: fc.array(node, { minLength: 1, maxLength: 40 }),
  member: fc.subarray(GROUPS),
})

function treeOf({ root, nodes }: { root: [number, boolean][]; nodes: { parent: number; own: [number, boolean][] }[] }) {
  const folders: Folder[] = [{ id: 0, parent_id: null, path: [0], own: new Map(root) }]
  for (const { parent, own } of nodes) {
    const above = folders[parent % folders.length] as Folder
    const id = folders.length
    folders.push({ id, parent_id: above.id, path: [...above.path, id], own: new Map(own) })
  }
  return folders
}

async function writeRoom(id: number, folders: readonly Folder[]): Promise<void> {
  await importRoom(db, id, 1)
  await sql`delete from folder_permissions where workspace_id = ${id}`.execute(db)
  await sql`delete from file_versions where workspace_id = ${id}`.execute(db)
  await sql`delete from files where workspace_id = ${id}`.execute(db)
  await sql`delete from folders where workspace_id = ${id}`.execute(db)
  const indexes = new Map<number | null, number>()
  for (const { id: folder, parent_id, path, own } of folders) {
    const index = (indexes.get(parent_id) ?? 0) + 1
    indexes.set(parent_id, index)
    await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      values (${id}, ${folder}, ${parent_id}, 'Folder', ${index}, ${path}, 1)`.execute(db)
    for (const [group, value] of own) {
      await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
        values (${id}, ${group}, 'view', ${folder}, ${path}, ${value})`.execute(db)
    }
  }
}

async function seenOf(workspace: Workspace, parents: readonly number[]) {
  const sight = await look(db, workspace, parents)
  const { rows } = await sql<{ id: number; parent_id: number; all: number; shown: number }>`
    select f.id, f.parent_id, ${allSubfolders} as all, ${shownSubfolders(workspace)} as shown
    from folders f where ${sight.isShown} order by f.id`.execute(db)
  return {
    sight,
    rows: rows.map((row) => {
      return { id: row.id, view: sight.mayView(row), children: [sight.countBelow(row, row.all), row.shown] }
    }),
  }
}

let nextRoom = 1

it('shows the same subfolders as a look at each of them by itself, in any tree with any overrides', async () => {
  await fc.assert(
    fc.asyncProperty(rooms, async ({ member, ...tree }) => {
      const folders = treeOf(tree)
      const id = nextRoom++
      await writeRoom(id, folders)
      const workspace = { ...importedRoom(id, false), group_ids: member }
      const views = ({ path }: Folder) =>
        member.some((group) => path.map((step) => folders[step]?.own.get(group)).findLast((own) => own !== undefined))
      const isSeen = (folder: Folder) =>
        folders.some((other) => (other === folder || other.path.includes(folder.id)) && views(other))
      const seenIn = (parent: number) => folders.filter((folder) => folder.parent_id === parent && isSeen(folder))
      const expected = (parents: readonly number[]) =>
        parents
          .flatMap((parent) => seenIn(parent))
          .toSorted((a, b) => a.id - b.id)
          .map((folder) => {
            const children = seenIn(folder.id).length
            return { id: folder.id, view: views(folder), children: [children, children] }
          })
      for (const parents of [...folders.map((folder) => [folder.id]), folders.map((folder) => folder.id)]) {
        const { sight, rows } = await seenOf(workspace, parents)
        expect(rows).toEqual(expected(parents))
        for (const parent of parents) {
          const all = folders.filter(({ parent_id }) => parent_id === parent).length
          expect(sight.countIn(parent, all)).toBe(seenIn(parent).length)
        }
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)

it('K30: a level costs a member its folders and the overrides inside, not the folders below, without statistics', async () => {
  const reads = async (id: number, below: number) => {
    await importRoom(db, id, 100)
    await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select workspace_id, 1000 * n + id, id, 'Below', 1 + n, id_path || 1000 * n + id, 1
      from folders cross join generate_series(1, ${below}::int) n where workspace_id = ${id} and parent_id = 0`.execute(
      db,
    )
    await analyzeBefore17(db)
    return db.transaction().execute(async (tx) => {
      const before = await countReads(tx)
      const { isShown } = await look(tx, importedRoom(id, false), [0])
      const { rows } = await sql`select ${allSubfolders} from folders f where ${isShown}`.execute(tx)
      expect(rows).toHaveLength(100)
      return (await countReads(tx)) - before
    })
  }
  const small = await reads(nextRoom++, 1)
  expect(await reads(nextRoom++, 40)).toBeLessThan(1.5 * small)
})
