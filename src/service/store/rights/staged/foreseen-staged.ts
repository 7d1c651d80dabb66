import { sql } from 'kysely'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { Api } from '../../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../../access/scopes.ts'
import { isInDraft, isInSubtree, PLANNED_RIGHTS, rightsOf, SET_RIGHTS } from '../../../access/sql.ts'
import { mapInTurns } from '../../../base/turns.ts'
import type { Db } from '../../../db/pool.ts'
import { byGroup, type RightsRow } from '../foreseen-places.ts'
import { foreseeFor } from '../foreseen-rights.ts'
import { type ChangingPlace, changingRights, type Counts } from '../rights-moved.ts'
import { stagedIn } from './staged-rows.ts'

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
      select distinct s.folder_id as id, s.id_path from ${stagedIn(id)} s
      where s.group_id = any(${groupIds}::int[])
    ), top as materialized (
      select * from staged s
      where not s.id_path[:cardinality(s.id_path) - 1] && (select array_agg(id) from staged)
    ), inside as materialized (
      select d.id, d.id_path from top t join folders d on d.workspace_id = ${id} and d.deleted_at is null
        and ${isInSubtree(sql`d.id_path`, sql`t.id_path`)} and not ${isInDraft(id, sql`d.id_path`)}
      order by d.id_path limit ${MAX_FOLDERS + 1}
    ), decides as materialized (
      select id from staged
      union
      select i.id from inside i where exists (
        select from ${SET_RIGHTS} p
        where p.workspace_id = ${id} and p.group_id = any(${groupIds}::int[]) and p.folder_id = i.id offset 0)
    ), spot as (
      select one.id_path, sum(one.folders) as folders, sum(one.files) as files from (
        -- The filter is a hash lookup whatever PostgreSQL expects of the parts above.
        select i.id_path[:max(step.place) filter (where step.id in (select id from decides))] as id_path,
          (i.id <> 0)::int as folders, (
            select count(*) from files f where f.workspace_id = ${id} and f.folder_id = i.id and f.deleted_at is null
          ) as files
        from inside i cross join unnest(i.id_path) with ordinality step (id, place)
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
