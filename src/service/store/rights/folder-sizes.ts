import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { endOf } from './visible-ranges.ts'

/** A folder to count, and the folder around all those that are counted together with it. */
export interface Counted {
  id_path: readonly number[]
  top_id: number
}

export interface Sizes {
  /** Number of folders in a folder, itself included. */
  folders: number
  /** Number of files in it and in the folders below; 0 unless they are counted. */
  documents: number
}

/** Returns how much is in a folder. */
export type SizeOf = (idPath: readonly number[]) => Sizes

/**
 * Counts the folders between each two edges of the subtrees, so that no folder is read twice however they are nested.
 * @param documents count the files in the folders too
 */
export async function readSizes(
  db: Db,
  { id }: AdministeredWorkspace,
  counted: readonly Counted[],
  documents: boolean,
): Promise<SizeOf> {
  const filesIn = documents
    ? sql`coalesce(sum((select count(*) from files x where x.workspace_id = f.workspace_id and x.folder_id = f.id
        and x.deleted_at is null)), 0)::int`
    : sql`0`
  const edges = counted.flatMap(({ id_path, top_id }) => [id_path, endOf(id_path)].map((path) => ({ top_id, path })))
  const { rows } = await sql<Sizes & { edge: string }>`
    select edge.path::text as edge, c.folders, c.documents
    from (
      select top_id, path, lead(path) over (partition by top_id order by path) as beyond from (
        select distinct top_id, path::int[] as path
        from unnest(${edges.map(({ top_id }) => top_id)}::int[], ${edges.map(({ path }) => keyOf(path))}::text[]) each (top_id, path)
      ) edge
    ) edge cross join lateral (
      select count(*)::int as folders, ${filesIn} as documents from folders f
      where f.workspace_id = ${id} and f.deleted_at is null and f.id_path >= edge.path and f.id_path < edge.beyond
    ) c
    order by edge.top_id, edge.path`.execute(db)
  const before = new Map<string, Sizes>()
  let sum = NONE
  for (const { edge, folders, documents } of rows) {
    before.set(edge, sum)
    sum = { folders: sum.folders + folders, documents: sum.documents + documents }
  }
  return (idPath) => {
    const [from, to] = [idPath, endOf(idPath)].map((path) => before.get(keyOf(path)) ?? NONE)
    return {
      folders: (to?.folders ?? 0) - (from?.folders ?? 0),
      documents: (to?.documents ?? 0) - (from?.documents ?? 0),
    }
  }
}

const NONE: Sizes = { folders: 0, documents: 0 }

const keyOf = (idPath: readonly number[]): string => `{${idPath.join(',')}}`
