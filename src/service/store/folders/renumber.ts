import { sql } from 'kysely'
import type { ManagedFolder } from '../../access/scopes.ts'
import type { Fragment } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import type { Order } from '../trash/undos.ts'
import { lockFolder, lockTree } from './folders.ts'

/** Names by their words, with numbers by their value: "2 Plans" before "10 Deeds". */
const byName = (name: Fragment): Fragment => sql`(
  select string_agg(coalesce(lpad(part[1], greatest(20, length(part[1])), '0'), part[2]), '' order by at)
  from regexp_matches(lower(${name}), '([0-9]+)|([^0-9]+)', 'g') with ordinality p (part, at))`

/**
 * Numbers the subfolders and the files of a folder anew, in the order of their names.
 * @returns the folder's name, and the orders before and after; the latter undefined if nothing changed
 */
export async function renumberByName(db: Db, folder: ManagedFolder) {
  const { workspace, id } = folder
  await lockTree(db, workspace, 'share')
  const { name } = await lockFolder(db, workspace, id)
  const before = await readOrder(db, folder)
  const [folders, files] = await Promise.all([
    arrange(db, folder, 'folders', byName(sql`f.name`)),
    arrange(db, folder, 'files', byName(sql`f.title`)),
  ])
  return { name, before, after: folders + files === 0 ? undefined : await readOrder(db, folder) }
}

/** Gives the present subfolders and files their former order; newer ones follow. Requires the lock of the tree. */
export async function restoreOrder(db: Db, folder: ManagedFolder, { folders, files }: Order): Promise<void> {
  const placeIn = (ids: readonly number[]) => sql`array_position(${ids}::int[], f.id)`
  await Promise.all([arrange(db, folder, 'folders', placeIn(folders)), arrange(db, folder, 'files', placeIn(files))])
}

export async function readOrder(db: Db, { workspace, id }: ManagedFolder): Promise<Order> {
  const ordered = (table: Table) => sql`array(
    select f.id from ${sql.table(table)} f
    where f.workspace_id = ${workspace.id} and f.${sql.ref(PARENT[table])} = ${id} and f.deleted_at is null order by f.index)`
  const { rows } = await sql<Order>`select ${ordered('folders')} as folders, ${ordered('files')} as files`.execute(db)
  return rows[0] ?? { folders: [], files: [] }
}

type Table = 'folders' | 'files'
const PARENT = { folders: 'parent_id', files: 'folder_id' } as const

/** @returns the number of entries with another index */
async function arrange(db: Db, { workspace, id }: ManagedFolder, table: Table, key: Fragment): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with wanted as materialized (
      select f.id, row_number() over (order by ${key} nulls last, f.index) as place from ${sql.table(table)} f
      where f.workspace_id = ${workspace.id} and f.${sql.ref(PARENT[table])} = ${id} and f.deleted_at is null
    ), moved as (
      update ${sql.table(table)} f set index = w.place from wanted w
      where f.workspace_id = ${workspace.id} and f.id = w.id and f.index <> w.place
      returning f.id
    )
    select count(*) as moved from moved`.execute(db)
  return rows[0]?.moved ?? 0
}
