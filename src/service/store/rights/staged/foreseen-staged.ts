import { sql } from 'kysely'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { Api } from '../../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../../access/scopes.ts'
import { isInDraft, isInSubtree, overridesBelow, PLANNED_RIGHTS, rightsOf, SET_RIGHTS } from '../../../access/sql.ts'
import { mapInTurns } from '../../../base/turns.ts'
import type { Db } from '../../../db/pool.ts'
import { byGroup, type RightsRow } from '../foreseen-places.ts'
import { foreseeFor } from '../foreseen-rights.ts'
import { type ChangingPlace, changingRights, type Counts } from '../rights-moved.ts'

/** Folders that are looked at. If there are more, only the first are, in the order of the tree. */
const MAX_FOLDERS = 50_000
/** Places times groups whose rights are read. */
const MAX_READ = 20_000

/** Foresees who gains and loses which rights by the staged ones. Drafts do not count: they stay hidden. */
export async function foreseeStaged(
  db: Db,
  workspace: AdministeredWorkspace,
): Promise<Reply<Api['stagedRights']['foresee']>> {
  return foreseeFor(db, workspace, async (groups) => {
    const ids = groups.map(({ id }) => id)
    const { places, is_partial } = await listChangingPlaces(db, workspace, ids)
    return { is_partial, moving: (groupIds) => changingRights(groupIds, places) }
  })
}

/**
 * Counts the folders below the staged ones, and their files, by the rights that the groups have and will have. The rights
 * change only at folders with overrides, set or planned, so each folder counts for the nearest of these.
 */
async function listChangingPlaces(
  db: Db,
  { id }: AdministeredWorkspace,
  groupIds: readonly number[],
): Promise<{ places: ChangingPlace[]; is_partial: boolean }> {
  const maxPlaces = Math.max(100, Math.floor(MAX_READ / Math.max(1, groupIds.length)))
  const rightsBy = (table: typeof SET_RIGHTS) => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('group_id', g.id, 'view', r.view, 'download', r.download,
      'upload', r.upload) order by g.id) filter (where r.view), '[]')
    from unnest(${groupIds}::int[]) g (id)
    cross join lateral ${rightsOf(id, sql`array[g.id]`, sql`s.id_path`, table)} r)`
  const { rows } = await sql<Counts & { rights: RightsRow[]; after: RightsRow[]; looked_at: number; spots: number }>`
    with staged as materialized (
      select distinct f.id, f.id_path
      from staged_rights s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
      where s.workspace_id = ${id} and f.deleted_at is null and s.group_id = any(${groupIds}::int[])
    ), top as materialized (
      select * from staged s where not exists (
        select from staged o where o.id <> s.id and o.id = any(s.id_path))
    ), inside as materialized (
      select d.id, d.id_path from top t join folders d on d.workspace_id = ${id} and d.deleted_at is null
        and ${isInSubtree(sql`d.id_path`, sql`t.id_path`)} and not ${isInDraft(id, sql`d.id_path`)}
      order by d.id_path limit ${MAX_FOLDERS + 1}
    ), decides as materialized (
      select id from staged
      union
      select p.folder_id from top t
      cross join lateral ${overridesBelow(id, groupIds, sql`t.id_path`, SET_RIGHTS)} p
    ), spot as (
      select one.id_path, sum(one.folders) as folders, sum(one.files) as files from (
        select i.id_path[:max(step.place)] as id_path, (i.id <> 0)::int as folders, (
            select count(*) from files f where f.workspace_id = ${id} and f.folder_id = i.id and f.deleted_at is null
          ) as files
        from inside i cross join unnest(i.id_path) with ordinality step (id, place) join decides on decides.id = step.id
        group by i.id, i.id_path
      ) one group by one.id_path
    ), read as (
      select s.folders, s.files, ${rightsBy(SET_RIGHTS)} as rights, ${rightsBy(PLANNED_RIGHTS)} as after
      from (select * from spot order by folders + files desc, id_path limit ${maxPlaces}) s
    )
    select sum(folders)::int8 as folders, sum(files)::int8 as files, rights, after,
      (select count(*) from inside) as looked_at, (select count(*) from spot) as spots
    from read group by rights, after`.execute(db)
  const first = rows[0]
  const places = await mapInTurns(rows, ({ folders, files, rights, after }) => ({
    folders,
    files,
    rights: byGroup(rights),
    after: byGroup(after),
  }))
  return { places, is_partial: first !== undefined && (first.looked_at > MAX_FOLDERS || first.spots > maxPlaces) }
}
