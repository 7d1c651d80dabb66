import { sql } from 'kysely'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import type { Work } from '../../../wire/work.ts'
import type { Rights, Workspace } from '../../access/scopes.ts'
import { alongPaths, nearestInOnePass, SET_RIGHTS, settingRights } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../base/turns.ts'

/** Flags to set for a group on a folder and everything below it; `null` inherits the value from the folder above. */
export interface FolderSetting {
  group_id: number
  folder_id: number
  id_path: readonly number[]
  wanted: readonly { flag: Flag; value: boolean | null }[]
}

export type FolderRights = { folder_id: number; rights: Rights }

/**
 * Groups settings into waves. The settings of a wave do not affect each other and can be applied together. Settings of
 * one group on the same folder, or on a folder and one below it, keep their order.
 */
export function* findingWaves<Setting extends FolderSetting>(settings: readonly Setting[]): Work<Setting[][]> {
  const waves: Setting[][] = []
  const own = new Map<string, number>()
  const below = new Map<string, number>()
  for (const setting of settings) {
    const path = setting.id_path.map((id) => `${setting.group_id} ${id}`)
    const key = path.at(-1) ?? ''
    const wave = Math.max(below.get(key) ?? 0, ...path.map((each) => own.get(each) ?? 0))
    own.set(key, wave + 1)
    for (const each of path) below.set(each, Math.max(below.get(each) ?? 0, wave + 1))
    ;(waves[wave] ??= []).push(setting)
    yield
  }
  return waves
}

/** `setRows` for the settings of one wave, in two statements for any number of settings. */
export async function setWave(db: Db, { id }: Workspace, wave: readonly FolderSetting[]): Promise<void> {
  const rows = wave.flatMap(({ group_id, folder_id, wanted }) =>
    wanted.map(({ flag, value }) => ({ group_id, folder_id, flag, value })),
  )
  const groupIds = rows.map((row) => row.group_id)
  const folderIds = rows.map((row) => row.folder_id)
  const flags = rows.map((row) => row.flag)
  const groups = sql`${[...new Set(groupIds)]}::int[]`
  const within = (table: 'folder_permissions' | 'withheld_permissions' | 'trashed_permissions') => sql`
    select s.group_id, s.folder_id, s.flag
    from ${alongPaths(sql`(select * from ${sql.table(table)} where workspace_id = ${id} and group_id = any(${groups}))`)} s
    join wanted w on w.group_id = s.group_id and w.flag = s.flag and w.folder_id = s.on_path`
  const isOne = sql`p.workspace_id = ${id} and p.group_id = gone.group_id and p.folder_id = gone.folder_id
    and p.flag = gone.flag`
  await sql`
    with wanted as materialized (
      select * from unnest(${groupIds}::int[], ${folderIds}::int[], ${flags}::text[]) w (group_id, folder_id, flag)
    ), in_trash as (
      delete from trashed_permissions p using (${within('trashed_permissions')}) gone where ${isOne}
    ), withheld as (
      delete from withheld_permissions p using (${within('withheld_permissions')}) gone where ${isOne}
    )
    delete from folder_permissions p using (${within('folder_permissions')}) gone where ${isOne} and not p.withholds`.execute(
    db,
  )
  await sql`
    with wanted as materialized (
      select w.*, f.id_path
      from unnest(${groupIds}::int[], ${folderIds}::int[], ${flags}::text[], ${rows.map(({ value }) => value)}::boolean[])
        with ordinality w (group_id, folder_id, flag, value, at)
      join folders f on f.workspace_id = ${id} and f.id = w.folder_id
    ), inherited as ${nearestInOnePass({
      of: sql`p.at`,
      columns: sql`p.at, o.value`,
      places: sql`wanted`,
      join: 'join',
      overrides: SET_RIGHTS,
      on: sql`o.workspace_id = ${id} and o.group_id = p.group_id and o.flag = p.flag`,
    })}, differing as materialized (
      select ${id}::int as workspace_id, w.group_id, w.flag, w.folder_id, w.id_path, w.value
      from wanted w left join inherited i on i.at = w.at where w.value <> coalesce(i.value, false)
    ), ${settingRights('differing')}
    select`.execute(db)
}

/** Returns the same as `listRights`, by one pass over all rights of the groups. */
export async function listRightsInOnePass(
  db: Db,
  { id }: Workspace,
  spots: readonly { group_id: number; folder_id: number }[],
): Promise<FolderRights[][]> {
  const groupIds = spots.map(({ group_id }) => group_id)
  const folderIds = spots.map(({ folder_id }) => folder_id)
  const { rows } = await sql<{ at: number; folder_id: number } & Rights>`
    with spot as materialized (
      select s.*, f.id_path
      from unnest(${groupIds}::int[], ${folderIds}::int[]) with ordinality s (group_id, folder_id, at)
      join folders f on f.workspace_id = ${id} and f.id = s.folder_id
    ), setting as materialized (
      select group_id, folder_id, flag, value, id_path from ${SET_RIGHTS}
      where workspace_id = ${id} and group_id = any(${[...new Set(groupIds)]}::int[])
    ), place as materialized (
      select at, group_id, folder_id, id_path from spot
      union
      select spot.at, s.group_id, s.folder_id, s.id_path
      from ${alongPaths(sql`setting`)} s
      join spot on spot.group_id = s.group_id and spot.folder_id = s.on_path
    ), nearest as ${nearestInOnePass({
      of: sql`p.at, p.folder_id, o.flag`,
      columns: sql`p.at, p.folder_id, p.id_path, o.flag, o.value`,
      places: sql`place`,
      join: 'left join',
      overrides: sql`setting`,
      on: sql`o.group_id = p.group_id`,
    })}
    select at::int - 1 as at, folder_id, coalesce(bool_or(value) filter (where flag = 'view'), false) as view,
      coalesce(bool_or(value) filter (where flag = 'download'), false) as download,
      coalesce(bool_or(value) filter (where flag = 'upload'), false) as upload
    from nearest group by at, folder_id, id_path order by at, cardinality(id_path), id_path`.execute(db)
  return inTurns(groupingByIndex(spots.length, rows))
}

/** Groups rows by spot and keeps their order. */
export function* groupingByIndex(
  count: number,
  rows: ({ at: number; folder_id: number } & Rights)[],
): Work<FolderRights[][]> {
  const found = Array.from({ length: count }, (): FolderRights[] => [])
  for (const { at, folder_id, ...rights } of rows) {
    found[at]?.push({ folder_id, rights })
    yield
  }
  return found
}
