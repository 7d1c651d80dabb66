import { type RawBuilder, sql } from 'kysely'
import type { TextLayer } from '../../contract/endpoints/groups.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'
import type { PdfDelivery } from '../../contract/endpoints/watermarks.ts'
import { asOneSet, MANY } from '../db/one-set.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import type { Reader, Rights, Workspace } from './scopes.ts'
import { type Fragment, hasRight, leadsToVisible, nearestOnSteps, rightsOf, viewedAmong } from './sql.ts'

// The rights of the caller of a workspace, and the protections against the caller, as SQL.

export interface Protections {
  drm: boolean
  watermark: boolean
  /** For PDFs with a watermark: the strictest delivery of the groups that impose one. */
  pdf_delivery: PdfDelivery
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
    where imposing.workspace_id = ${workspace.id} and imposing.id = any(${workspace.group_ids}::int[])
      and ${hasRight({ workspaceId: sql`imposing.workspace_id`, groupId: sql`imposing.id`, flag: right, idPath })})`
}

/**
 * How much of the text of a folder's files the caller may use: the strictest text layer of the groups that grant view
 * there. A group that leaves it to the download counts as `select` where the caller's own download would hand out the
 * text: granted, and by no group only sealed or as pictures (decisions, section 6). Gives one row `(text_layer)`.
 */
export function textLayerIn(workspace: Workspace, idPath: Fragment): RawBuilder<{ text_layer: TextLayer }> {
  if (workspace.admin) return sql`(select 'select'::text_layer as text_layer)`
  const rightOf = (flag: Flag) => hasRight({ workspaceId: sql`g.workspace_id`, groupId: sql`g.id`, flag, idPath })
  return sql`(
    select coalesce(case
        when bool_and(own.text_layer <> 'with_download') or (bool_or(own.downloads) and not bool_or(own.downloads and own.is_textless))
        then least(min(own.text_layer), 'select') end, 'none') as text_layer
    from (
      select g.text_layer, ${rightOf('download')} as downloads,
        g.drm_enabled or (g.watermarked and g.pdf_delivery = 'pictures') as is_textless
      from groups g
      where g.workspace_id = ${workspace.id} and g.id = any(${workspace.group_ids}::int[]) and ${rightOf('view')}
    ) own)`
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
export function viewableAmong(workspace: Reader, folders: RawBuilder<unknown>): RawBuilder<unknown> {
  if (workspace.admin) return sql`select id from ${folders} f`
  return viewedAmong(workspace.id, workspace.group_ids, folders)
}

/**
 * Rights and protections of the caller on many folders, in one pass over the overrides on their paths: the same as
 * `rightsIn` and `protectionsIn` for each of them. `steps` has a row `(id, on_path, depth)` for each folder and each
 * folder on its path; `onPaths` are the ids of all these. Gives rows `(id, view, download, drm, watermark, pdf_delivery)`.
 */
export function rightsAmong(
  workspace: Workspace,
  { steps, onPaths }: { steps: Fragment; onPaths: readonly number[] | Fragment },
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
      from ${nearestOnSteps(workspace.id, workspace.group_ids, steps, onPaths)} nearest
      left join groups imposing on imposing.workspace_id = ${workspace.id} and imposing.id = nearest.group_id
        and nearest.download
    ) own on own.id = step.id
    group by step.id)`
}

/** The rights and protections of the caller on a folder. */
export interface Judgement extends Pick<Rights, 'view' | 'download'>, Protections {}

/** Judges folders by `rightsAmong`. Deleted folders are missing in the result. */
export async function judgeFolders(
  db: Db,
  workspace: Workspace,
  folderIds: readonly number[],
): Promise<Map<number, Judgement>> {
  const judging = sql<{ id: number } & Judgement>`
    with step as materialized (
      select d.id, s.on_path, s.depth from folders d cross join unnest(d.id_path) with ordinality s (on_path, depth)
      where d.workspace_id = ${workspace.id} and d.id = any(${folderIds}::int[]) and d.deleted_at is null
    )
    select id, view, download, drm, watermark, pdf_delivery
    from ${rightsAmong(workspace, { steps: sql`step`, onPaths: sql`array(select on_path from step)` })} r`
  const judge = async (tx: Db) => asOneSet(tx, folderIds.length, () => judging.execute(tx))
  const { rows } = await (folderIds.length < MANY || db.isTransaction ? judge(db) : transaction(db, judge))
  return new Map(rows.map(({ id, ...judgement }) => [id, judgement]))
}
