import { type RawBuilder, sql } from 'kysely'
import { placeIn } from '../../../contract/outline/outline.ts'
import type { Db } from '../../db/pool.ts'
import type { Workspace } from '../../access/scopes.ts'
import { isRenumbered, outlinesAmong } from './outlines.ts'

/** Folder meta on the wire, before it is reduced for a path node. */
export interface FolderRow {
  id: number
  parent_id: number
  name: string
  index: number
  /** Its number for the caller. */
  outline: string
  number_length: number
  id_path: readonly number[]
  created_at: string
  updated_at: string
  last_updated_user_id: number
  path_node: boolean
  children: number
  draft: boolean
}

export interface Ancestry {
  /** Readable path: "/Finance/2025"; "/" for the root. */
  path: string
  /** Its number for the caller: "1.3"; "" for the root. */
  outline: string
}

/** Readable path and outline of a folder that is not deleted. */
export async function getAncestry(db: Db, workspace: Workspace, idPath: readonly number[]): Promise<Ancestry> {
  if (idPath.length <= 1) return { path: '/', outline: '' }
  const { rows } = await sql<Ancestry>`
    select n.outline, ${pathTo(workspace, idPath)} as path
    from ${outlinesAmong(workspace, { ids: idPath.slice(-1), onPaths: idPath })} n`.execute(db)
  return rows[0] ?? { path: '/', outline: '' }
}

/** The readable path of a folder by its `id_path`. */
export const pathTo = ({ id }: Workspace, idPath: readonly number[]): RawBuilder<unknown> => sql`(
  select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
  where a.workspace_id = ${id} and a.id = any(${idPath.slice(1)}::int[]))`

export const childPath = (parentPath: string, name: string): string =>
  parentPath === '/' ? `/${name}` : `${parentPath}/${name}`

/** Folder meta as the contract declares it (decisions, section 6). For a path node, only name and place are real. */
export function toMeta(workspace: Workspace, row: FolderRow, parentPath: string) {
  const isRoot = row.id === 0
  return {
    ...row,
    ...(isRenumbered(workspace) && !isRoot && { index: placeIn(row.outline) }),
    ...(row.path_node && { created_at: '', updated_at: '', last_updated_user_id: 0 }),
    path: isRoot ? '/' : childPath(parentPath, row.name),
    parent_path: isRoot ? '' : parentPath,
    owner_type: 'Workspace' as const,
    owner_id: workspace.id,
    id_tree: row.id_path[1] ?? 0,
    id_path: row.id_path.join('.'),
  }
}

export type FolderMeta = ReturnType<typeof toMeta>

/** Columns of folders `f` for a `FolderRow`, without the outline. `draft` says nothing of the folders above. */
export const folderColumns = (children: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, f.created_at, f.updated_at,
    f.last_updated_user_id, ${children} as children, f.is_draft as draft, f.number_length`
