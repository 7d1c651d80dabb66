import { type RawBuilder, sql } from 'kysely'
import { rightsIn } from '../../access/grants.ts'
import type { VisibleFolder, Workspace } from '../../access/scopes.ts'
import { rightsOf, subfoldersWithOverrides, unseen } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

interface Subfolder {
  id: number
  parent_id: number
}

/** What the caller sees of the subfolders of some folders, the parents. */
export interface Sight {
  /** Condition for the subfolders `f` that the caller sees. */
  isShown: RawBuilder<boolean>
  /** Whether the caller may view a shown subfolder. Otherwise it only leads to a folder that the caller may view. */
  mayView(subfolder: Subfolder): boolean
  isSeen(subfolder: Subfolder): boolean
  /** The number of subfolders that the caller sees in a parent, of all its subfolders. */
  countIn(parentId: number, all: number): number
  /** The same in a shown subfolder of a parent. */
  countBelow(subfolder: Subfolder, all: number): number
}

/** The number of all subfolders of folders `f`. Their indexes run from 1 without gaps, so the last one is the number. */
export const allSubfolders = sql`(
  select coalesce(max(c.index), 0) from folders c
  where c.workspace_id = f.workspace_id and c.parent_id = f.id and c.deleted_at is null)`

/** The same without drafts, which come last: the files of a folder are numbered as if there were none. */
export const publishedSubfolders = sql`(
  select coalesce(max(c.index), 0) from folders c
  where c.workspace_id = f.workspace_id and c.parent_id = f.id and c.deleted_at is null and not c.is_draft)`

/** The number of subfolders of folders `f` that the caller sees. For few folders: `look` judges many at once. */
export function shownSubfolders(workspace: Workspace): RawBuilder<unknown> {
  if (workspace.admin) return allSubfolders
  const groupIds = unseen(workspace.group_ids)
  return sql`(
    select case when (select r.view from ${rightsOf(workspace.id, groupIds, sql`f.id_path`)} r)
      then ${allSubfolders} - count(*) filter (where not s.visible) else count(*) filter (where s.visible) end
    from ${subfoldersWithOverrides(workspace.id, groupIds, sql`f.id_path`)} s)`
}

/** A subfolder that the caller may see in another way than its parent (`subfoldersWithOverrides`). */
interface Exception extends Subfolder {
  view: boolean
  visible: boolean
  shown: number
  hidden: number
}

/** Judges the subfolders of the parents by the overrides at them and inside, however many subfolders there are. */
export async function look(db: Db, workspace: Workspace, parentIds: readonly number[]): Promise<Sight> {
  if (workspace.admin) return sightOf(workspace, parentIds, new Set(parentIds), [])
  const { viewed, exceptions } = await listExceptions(db, workspace, parentIds)
  return sightOf(workspace, parentIds, viewed, exceptions)
}

/**
 * Judges the subfolders of a folder that the caller has entered. The right found at the entry counts for it: read again,
 * it might be revoked by now, and the folder would be shown without subfolders.
 */
export async function lookInto(db: Db, { workspace, id, rights }: VisibleFolder): Promise<Sight> {
  if (workspace.admin) return look(db, workspace, [id])
  const { exceptions } = await listExceptions(db, workspace, [id])
  return sightOf(workspace, [id], new Set(rights.view ? [id] : []), exceptions)
}

function sightOf(
  workspace: Workspace,
  parentIds: readonly number[],
  viewed: ReadonlySet<number>,
  exceptions: readonly Exception[],
): Sight {
  const byId = new Map(exceptions.map((each) => [each.id, each]))
  const found = Map.groupBy(exceptions, ({ parent_id }) => parent_id)
  const visible = exceptions.filter((each) => each.visible).map(({ id }) => id)
  const hidden = exceptions.filter((each) => !each.visible).map(({ id }) => id)
  const isListed = (ids: readonly number[]) => sql`f.id in (select unnest(${ids}::int[]))`
  const isViewed = sql`f.parent_id in (select unnest(${[...viewed]}::int[]))`
  const mayView = ({ id, parent_id }: Subfolder) => byId.get(id)?.view ?? viewed.has(parent_id)
  return {
    isShown: sql`(f.workspace_id = ${workspace.id} and f.parent_id = any(${parentIds}::int[]) and f.deleted_at is null
      and (${isViewed} and not ${isListed(hidden)} or ${isListed(visible)}))`,
    mayView,
    isSeen: ({ id, parent_id }) => byId.get(id)?.visible ?? viewed.has(parent_id),
    countIn(parentId, all) {
      const inside = found.get(parentId) ?? []
      const shown = inside.filter((each) => each.visible).length
      return viewed.has(parentId) ? all - (inside.length - shown) : shown
    },
    countBelow(subfolder, all) {
      const { shown = 0, hidden: less = 0 } = byId.get(subfolder.id) ?? {}
      return mayView(subfolder) ? all - less : shown
    },
  }
}

async function listExceptions(db: Db, workspace: Workspace, parentIds: readonly number[]) {
  const { rows } = await sql<{ parent_id: number; views: boolean } & (Exception | { id: null })>`
    select p.id as parent_id, r.view as views, s.* from folders p
    cross join lateral ${rightsIn(workspace, sql`p.id_path`)} r
    left join lateral ${subfoldersWithOverrides(workspace.id, workspace.group_ids, sql`p.id_path`)} s on true
    where p.workspace_id = ${workspace.id} and p.id = any(${parentIds}::int[])`.execute(db)
  const viewed = new Set(rows.filter(({ views }) => views).map(({ parent_id }) => parent_id))
  return { viewed, exceptions: rows.filter((row): row is { views: boolean } & Exception => row.id !== null) }
}
