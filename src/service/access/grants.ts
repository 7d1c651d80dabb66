import { type RawBuilder, sql } from 'kysely'
import type { PdfDelivery } from '../../contract/watermarks.ts'
import type { Rights, Workspace } from './scopes.ts'

/** Columns of the calling statement. The fragments here name their own tables, so that they hide no alias of it. */
type Fragment = RawBuilder<unknown>

export interface Protections {
  drm: boolean
  watermark: boolean
  /** For PDFs with a watermark: the strictest delivery of the groups that impose one. */
  pdf_delivery: PdfDelivery
}

/**
 * Rights of the union of groups on the folder with the given id path: for each group and flag, the nearest row on the
 * path decides. Gives one row `(view, download, upload)`, for a lateral join.
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
      select distinct on (set_right.group_id, set_right.flag) set_right.group_id, set_right.flag, set_right.value
      from folder_permissions set_right
      where set_right.workspace_id = ${workspaceId} and set_right.group_id = any(${ids}) and set_right.folder_id = any(${idPath})
      order by set_right.group_id, set_right.flag, cardinality(set_right.id_path) desc
    ) nearest)`
}

/** Whether one of the groups may view something strictly below the folder, for a folder that they cannot view. */
export function leadsToVisible(
  workspaceId: number,
  groupIds: readonly number[] | RawBuilder<number[]>,
  idPath: Fragment,
): RawBuilder<boolean> {
  const ids = Array.isArray(groupIds) ? sql`${groupIds}::int[]` : groupIds
  return sql`exists (
    select from folder_permissions set_below
    where set_below.workspace_id = ${workspaceId} and set_below.group_id = any(${ids}) and set_below.flag = 'view' and set_below.value
      and set_below.id_path > ${idPath} and set_below.id_path < id_path_end(${idPath}))`
}

/** Rights of the caller: an admin has all of them. */
export function rightsIn(workspace: Workspace, idPath: Fragment): RawBuilder<Rights> {
  if (workspace.admin) return sql`(select true as view, true as download, true as upload)`
  return rightsOf(workspace.id, workspace.group_ids, idPath)
}

/**
 * The protections of a folder's files against the caller. Every group that grants the used right there imposes the
 * protections that it has enabled; admins are exempt (decisions, sections 4 and 5). Gives one row `(drm, watermark,
 * pdf_delivery)`, for a lateral join.
 */
export function protectionsIn(
  workspace: Workspace,
  idPath: Fragment,
  right: 'view' | 'download' = 'download',
): RawBuilder<Protections> {
  if (workspace.admin) return sql`(select false as drm, false as watermark, 'woven'::pdf_delivery as pdf_delivery)`
  return sql`(
    select coalesce(bool_or(imposing.drm_enabled), false) as drm, coalesce(bool_or(imposing.watermarked), false) as watermark,
      coalesce(max(imposing.pdf_delivery) filter (where imposing.watermarked), 'woven') as pdf_delivery
    from groups imposing
    where imposing.workspace_id = ${workspace.id} and imposing.id = any(${workspace.group_ids}::int[]) and (
      select set_right.value from folder_permissions set_right
      where set_right.workspace_id = imposing.workspace_id and set_right.group_id = imposing.id and set_right.flag = ${right}
        and set_right.folder_id = any(${idPath})
      order by cardinality(set_right.id_path) desc limit 1))`
}

/** Condition for a folder that the caller sees in a listing: viewable, or on the way to a viewable folder. */
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

/** Ids of those `folders` (`id`, `id_path`) whose files the caller may view; the same as `viewable`, in one pass. */
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

/**
 * Rights and protections of the caller on many folders, in one pass over the overrides on their paths: the same as
 * `rightsIn` and `protectionsIn` for each of them. `steps` has a row `(id, on_path, depth)` for each folder and each
 * folder on its path; `onPaths` are the ids of all these. Gives rows `(id, view, download, drm, watermark, pdf_delivery)`.
 */
export function rightsAmong(
  workspace: Workspace,
  { steps, onPaths }: { steps: Fragment; onPaths: readonly number[] },
): RawBuilder<unknown> {
  if (workspace.admin) {
    return sql`(select distinct id, true as view, true as download, false as drm, false as watermark,
      'woven'::pdf_delivery as pdf_delivery from ${steps} step)`
  }
  return sql`(
    select step.id, coalesce(bool_or(own.view), false) as view, coalesce(bool_or(own.download), false) as download,
      coalesce(bool_or(own.drm_enabled), false) as drm, coalesce(bool_or(own.watermarked), false) as watermark,
      coalesce(max(own.pdf_delivery) filter (where own.watermarked), 'woven') as pdf_delivery
    from (select distinct id from ${steps} step) step left join (
      select nearest.*, imposing.drm_enabled, imposing.watermarked, imposing.pdf_delivery
      from (
        select step.id, own.group_id, max(step.depth * 2 + own.view::int) % 2 = 1 as view,
          max(step.depth * 2 + own.download::int) % 2 = 1 as download
        from ${steps} step join (
          select p.folder_id, p.group_id, bool_or(p.value) filter (where p.flag = 'view') as view,
            bool_or(p.value) filter (where p.flag = 'download') as download
          from folder_permissions p
          where p.workspace_id = ${workspace.id} and p.group_id = any(${workspace.group_ids}::int[])
            and p.folder_id = any(${onPaths}::int[])
          group by p.folder_id, p.group_id
        ) own on own.folder_id = step.on_path
        group by step.id, own.group_id
      ) nearest
      left join groups imposing on imposing.workspace_id = ${workspace.id} and imposing.id = nearest.group_id
        and nearest.download
    ) own on own.id = step.id
    group by step.id)`
}
