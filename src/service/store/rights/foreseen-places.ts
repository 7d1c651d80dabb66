import { sql } from 'kysely'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import type { AdministeredWorkspace, Rights, VisibleFolder } from '../../access/scopes.ts'
import { isBelow, isInDraft, isInSubtree, rightsOf } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { mapInTurns } from '../../base/turns.ts'
import type { Counts, GroupRights, Place } from './rights-moved.ts'

/** Folders and files that are to go to a destination. */
export interface Moved {
  folder_ids: readonly number[]
  file_ids: readonly number[]
  destination: VisibleFolder
}

export type RightsRow = { group_id: number } & Rights

export const byGroup = (rows: readonly RightsRow[]): GroupRights => new Map(rows.map((row) => [row.group_id, row]))

/** Maximum number of folders. If there are more, only the first are considered, in the order of the tree. */
const MAX_FOLDERS = 50_000
/** Maximum number of places times groups whose rights are read, if rights were set on many folders. */
const MAX_READ = 20_000

/**
 * Counts the moved folders, with everything in them, and the moved files by the rights that the groups have there. Each
 * folder and file counts once. Items that are in the destination already do not count, unless the originals stay where
 * they are. Drafts do not count: they stay hidden.
 * @throws ApiError 404 if one is absent
 */
export async function listPlaces(
  db: Db,
  workspace: AdministeredWorkspace,
  groupIds: number[],
  { folder_ids, file_ids, destination, stays = false }: Moved & { stays?: boolean },
): Promise<{ places: Place[]; is_partial: boolean }> {
  await checkPresent(db, workspace, folder_ids, file_ids)
  const isInDestination = stays ? sql`false` : sql`true`
  const maxPlaces = Math.max(100, Math.floor(MAX_READ / Math.max(1, groupIds.length)))
  const { rows } = await sql<Counts & { rights: RightsRow[]; looked_at: number; spots: number }>`
    with top as materialized (
      select id, id_path from folders
      where workspace_id = ${workspace.id} and id = any(${folder_ids}::int[]) and deleted_at is null
        and not (parent_id = ${destination.id} and ${isInDestination})
    ), inside as materialized (
      select distinct d.id, d.id_path
      from top t join folders d on d.workspace_id = ${workspace.id} and d.deleted_at is null
        and ${isInSubtree(sql`d.id_path`, sql`t.id_path`)} and not ${isInDraft(workspace.id, sql`d.id_path`)}
      order by d.id_path limit ${MAX_FOLDERS + 1}
    ), decides as materialized (
      select id from top
      union
      select p.folder_id
      from top t cross join unnest(${groupIds}::int[]) g (id) cross join unnest(${FLAGS}::text[]) f (flag)
      join folder_permissions p on p.workspace_id = ${workspace.id} and p.group_id = g.id and p.flag = f.flag
        and ${isBelow(sql`p.id_path`, sql`t.id_path`)}
    ), spot as (
      select id_path, sum(folders) as folders, sum(files) as files from (
        select i.id_path[:max(step.place)] as id_path, 1 as folders,
          (select count(*) from files f
            where f.workspace_id = ${workspace.id} and f.folder_id = i.id and f.deleted_at is null) as files
        from inside i cross join unnest(i.id_path) with ordinality step (id, place) join decides on decides.id = step.id
        group by i.id, i.id_path
        union all
        select d.id_path, 0, 1
        from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
        where f.workspace_id = ${workspace.id} and f.id = any(${file_ids}::int[]) and f.deleted_at is null
          and not (f.folder_id = ${destination.id} and ${isInDestination}) and f.folder_id not in (select id from inside)
          and not ${isInDraft(workspace.id, sql`d.id_path`)}
      ) one group by id_path
    ), read as (
      select s.folders, s.files, (
        select coalesce(jsonb_agg(jsonb_build_object('group_id', g.id, 'view', r.view, 'download', r.download,
          'upload', r.upload) order by g.id) filter (where r.view), '[]')
        from unnest(${groupIds}::int[]) g (id)
        cross join lateral ${rightsOf(workspace.id, sql`array[g.id]`, sql`s.id_path`)} r) as rights
      from (select * from spot order by folders + files desc, id_path limit ${maxPlaces}) s
    )
    select sum(folders)::int8 as folders, sum(files)::int8 as files, rights,
      (select count(*) from inside) as looked_at, (select count(*) from spot) as spots
    from read group by rights`.execute(db)
  const first = rows[0]
  return {
    places: await mapInTurns(rows, ({ folders, files, rights }) => ({ folders, files, rights: byGroup(rights) })),
    is_partial: first !== undefined && (first.looked_at > MAX_FOLDERS || first.spots > maxPlaces),
  }
}

async function checkPresent(
  db: Db,
  workspace: AdministeredWorkspace,
  folderIds: readonly number[],
  fileIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ absent: boolean }>`
    select exists (
      select from unnest(${folderIds}::int[]) wanted where not exists (select from folders d
        where d.workspace_id = ${workspace.id} and d.id = wanted and d.id <> 0 and d.deleted_at is null)
      union all
      select from unnest(${fileIds}::int[]) wanted where not exists (select from files f
        where f.workspace_id = ${workspace.id} and f.id = wanted and f.deleted_at is null)
    ) as absent`.execute(db)
  if (rows[0]?.absent !== false) throw notFound()
}
