import { type RawBuilder, sql } from 'kysely'
import type { PdfDelivery } from '../../contract/watermarks.ts'
import type { Rights, Workspace } from './scopes.ts'

type Fragment = RawBuilder<unknown>

export interface Protections {
  drm: boolean
  watermark: boolean
  /** Of PDFs with a watermark: the strictest of the groups that impose one. */
  pdf_delivery: PdfDelivery
}

/**
 * Rights of the union of groups on the folder whose id path is given: per group and flag the nearest row on the path
 * decides. Gives one row `(view, download, upload)`; for a lateral join.
 */
export function rightsOf(
  workspaceId: number,
  groupIds: readonly number[] | RawBuilder<number[]>,
  idPath: Fragment,
): RawBuilder<Rights> {
  const ids = Array.isArray(groupIds) ? sql`${groupIds}::int[]` : groupIds
  return sql`(
    select coalesce(bool_or(value) filter (where flag = 'view'), false) as view,
      coalesce(bool_or(value) filter (where flag = 'download'), false) as download,
      coalesce(bool_or(value) filter (where flag = 'upload'), false) as upload
    from (
      select distinct on (p.group_id, p.flag) p.group_id, p.flag, p.value
      from folder_permissions p
      where p.workspace_id = ${workspaceId} and p.group_id = any(${ids}) and p.folder_id = any(${idPath})
      order by p.group_id, p.flag, cardinality(p.id_path) desc
    ) nearest)`
}

/** Whether anything strictly below the folder may be viewed by one of the groups although the folder itself may not. */
export function leadsToVisible(
  workspaceId: number,
  groupIds: readonly number[] | RawBuilder<number[]>,
  idPath: Fragment,
): RawBuilder<boolean> {
  const ids = Array.isArray(groupIds) ? sql`${groupIds}::int[]` : groupIds
  return sql`exists (
    select from folder_permissions p
    where p.workspace_id = ${workspaceId} and p.group_id = any(${ids}) and p.flag = 'view' and p.value
      and p.id_path > ${idPath} and p.id_path < id_path_end(${idPath}))`
}

/** The same for the caller, to whom an admin's role gives everything. */
export function rightsIn(workspace: Workspace, idPath: Fragment): RawBuilder<Rights> {
  if (workspace.admin) return sql`(select true as view, true as download, true as upload)`
  return rightsOf(workspace.id, workspace.group_ids, idPath)
}

/**
 * What stands between the caller and the content of a folder's files. Any group that grants the used right there imposes
 * what it has switched on; admins are exempt (decisions, sections 4 and 5). Gives one row
 * `(drm, watermark, pdf_delivery)`; for a lateral join.
 */
export function protectionsIn(
  workspace: Workspace,
  idPath: Fragment,
  right: 'view' | 'download' = 'download',
): RawBuilder<Protections> {
  if (workspace.admin) return sql`(select false as drm, false as watermark, 'woven'::pdf_delivery as pdf_delivery)`
  return sql`(
    select coalesce(bool_or(g.drm_enabled), false) as drm, coalesce(bool_or(g.watermarked), false) as watermark,
      coalesce(max(g.pdf_delivery) filter (where g.watermarked), 'woven') as pdf_delivery
    from groups g
    where g.workspace_id = ${workspace.id} and g.id = any(${workspace.group_ids}::int[]) and (
      select p.value from folder_permissions p
      where p.workspace_id = g.workspace_id and p.group_id = g.id and p.flag = ${right}
        and p.folder_id = any(${idPath})
      order by cardinality(p.id_path) desc limit 1))`
}

/** Condition for a folder the caller can see in a listing: viewable, or on the way to something that is. */
export function visible(workspace: Workspace, idPath: Fragment): RawBuilder<boolean> {
  if (workspace.admin) return sql`true`
  return sql`((select view from ${rightsOf(workspace.id, workspace.group_ids, idPath)} r)
    or ${leadsToVisible(workspace.id, workspace.group_ids, idPath)})`
}

/** Condition for a folder whose files the caller may view. */
export function viewable(workspace: Workspace, idPath: Fragment): RawBuilder<boolean> {
  if (workspace.admin) return sql`true`
  return sql`(select view from ${rightsOf(workspace.id, workspace.group_ids, idPath)} r)`
}

/** Ids of those of many folders (`id`, `id_path`) whose files the caller may view; the same as `viewable`, in one go. */
export function viewableAmong(workspace: Workspace, folders: RawBuilder<unknown>): RawBuilder<unknown> {
  if (workspace.admin) return sql`select id from ${folders} f`
  return sql`
    select nearest.id from (
      select distinct on (f.id, p.group_id) f.id, p.value
      from ${folders} f cross join unnest(f.id_path) with ordinality step (id, place)
      join folder_permissions p on p.workspace_id = ${workspace.id} and p.group_id = any(${workspace.group_ids}::int[])
        and p.flag = 'view' and p.folder_id = step.id
      order by f.id, p.group_id, step.place desc
    ) nearest where nearest.value`
}
