import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { endOf } from './visible-ranges.ts'

/** A folder to count, and the folder around all those that are counted together with it. */
export interface Counted {
  id_path: readonly number[]
  top_id: number
}

/** Returns how many folders are in a folder, itself included. */
export type SizeOf = (idPath: readonly number[]) => number

/** Counts the folders between each two edges of the subtrees, so that no folder is read twice however they are nested. */
export async function readSizes(db: Db, { id }: AdministeredWorkspace, counted: readonly Counted[]): Promise<SizeOf> {
  const edges = counted.flatMap(({ id_path, top_id }) => [id_path, endOf(id_path)].map((path) => ({ top_id, path })))
  const { rows } = await sql<{ edge: string; folders: number }>`
    select edge.path::text as edge, c.folders
    from (
      select top_id, path, lead(path) over (partition by top_id order by path) as beyond from (
        select distinct top_id, path::int[] as path
        from unnest(${edges.map(({ top_id }) => top_id)}::int[], ${edges.map(({ path }) => keyOf(path))}::text[]) each (top_id, path)
      ) edge
    ) edge cross join lateral (
      select count(*)::int as folders from folders f
      where f.workspace_id = ${id} and f.deleted_at is null and f.id_path >= edge.path and f.id_path < edge.beyond
    ) c
    order by edge.top_id, edge.path`.execute(db)
  const before = new Map<string, number>()
  let sum = 0
  for (const { edge, folders } of rows) {
    before.set(edge, sum)
    sum += folders
  }
  return (idPath) => (before.get(keyOf(endOf(idPath))) ?? 0) - (before.get(keyOf(idPath)) ?? 0)
}

const keyOf = (idPath: readonly number[]): string => `{${idPath.join(',')}}`
