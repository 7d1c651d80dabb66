import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { viewableAmong } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { asOneSet, MANY } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { listSeenPlaces } from '../rights/permission-sheet.ts'
import { fileOutlineIn, nameBehind, outlinesAtOnce } from './outlines.ts'

type IndexRow = Reply<Api['workspaces']['listIndex']>[number]

/** Folders whose files are read at a time. */
const TOGETHER = 1000

/** Yields every folder and file that the caller sees. Folders come before what is in them. */
export async function* listIndex(db: Db, workspace: Workspace): AsyncIterable<IndexRow> {
  for (let after: string | undefined; ;) {
    const { places, next } = await listSeenPlaces(db, workspace, 0, after)
    for (let at = 0; at < places.length; at += TOGETHER) {
      const folders = places.slice(at, at + TOGETHER)
      const onPaths = [...new Set(folders.flatMap(({ id_path }) => id_path))]
      yield* await selectRows(db, workspace, { ids: folders.map(({ id }) => id), onPaths })
    }
    if (next === undefined) return
    after = next.join('.')
  }
}

async function selectRows(db: Db, workspace: Workspace, of: { ids: number[]; onPaths: number[] }): Promise<IndexRow[]> {
  const selection = sql<IndexRow>`
    with place as materialized (
      select f.id, f.id_path, f.name, f.number_length, f.updated_at from folders f
      where f.workspace_id = ${workspace.id} and f.id = any(${of.ids}::int[]) and f.deleted_at is null
    ), viewed as materialized (
      ${viewableAmong(workspace, sql`place`)}
    ), level as materialized (
      select p.*, n.outline, n.shown, p.id in (select id from viewed) as is_viewed, array(
        select a.name from folders a
        where a.workspace_id = ${workspace.id} and a.id <> 0 and a.id = any(p.id_path) order by cardinality(a.id_path)
      ) as names
      from place p join ${outlinesAtOnce(workspace, of)} n on n.id = p.id
    )
    select 'folder' as kind, id, outline, ${nameBehind(sql`outline`, 'level', 'name')} as name, '/' || array_to_string(names[:cardinality(names) - 1], '/') as path,
      null as file_size, null::int as pages, case when is_viewed then updated_at end as updated_at
    from level where id <> 0
    union all
    select 'file', f.id, ${fileOutlineIn('p')}, ${nameBehind(fileOutlineIn('p'), 'f', 'title')}, '/' || array_to_string(p.names, '/'), f.file_size::text, f.pages, f.updated_at
    from level p join files f on f.workspace_id = ${workspace.id} and f.folder_id = p.id and f.deleted_at is null
    where p.is_viewed and f.folder_id = any(${of.ids}::int[])`
  const select = async (tx: Db) => (await asOneSet(tx, of.ids.length, () => selection.execute(tx))).rows
  return of.ids.length < MANY || db.isTransaction ? select(db) : transaction(db, select)
}
