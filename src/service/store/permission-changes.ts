import { sql } from 'kysely'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { FLAGS, type Flag } from '../../contract/permissions.ts'
import { rightsOf } from '../access/grants.ts'
import type { FlagSetting } from '../access/rules.ts'
import type { AdministeredGroup, AdministeredWorkspace, Rights } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { lockTree } from './folders.ts'
import { lockGroup } from './groups.ts'

type Changed = Reply<Api['permissions']['change']>
type Effect = Changed['effects'][number]
type RightsChange = Changed['inverse'][number]

/** Rights to set on a folder and everything below; `null`: as the folder above has them. */
export interface RightsSetting {
  group: AdministeredGroup
  folder_id: number
  rights: FlagSetting | null
}

interface Place {
  id: number
  name: string
  id_path: number[]
  path: string
}

/** An effect with what the record of it needs. */
export type Applied = Effect & { folder_name: string; flags: Flag[] }

/**
 * Makes changes of rights one after another.
 * @returns what each did, those that did nothing left out, and the changes that bring back exactly what was
 * @throws ApiError 404 where a folder is absent
 */
export async function applySettings(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
): Promise<{ applied: Applied[]; inverse: RightsChange[] }> {
  await lockTree(db, workspace, 'share')
  const places = await lockPlaces(db, workspace, [...new Set(settings.map((setting) => setting.folder_id))])
  const groups = [...new Map(settings.map(({ group }) => [group.id, group])).values()]
  for (const group of groups.sort((a, b) => a.id - b.id)) await lockGroup(db, group)

  const applied: Applied[] = []
  const undoing: RightsChange[][] = []
  for (const setting of settings) {
    const place = places.get(setting.folder_id)
    if (!place) throw notFound()
    const { effect, inverse } = await applyOne(db, setting, place)
    if (!isChange(effect)) continue
    applied.push(effect)
    undoing.push(inverse)
  }
  return { applied, inverse: undoing.toReversed().flat() }
}

/** Locks the folders against being moved or deleted, always in the same order. */
async function lockPlaces(db: Db, workspace: AdministeredWorkspace, ids: number[]): Promise<Map<number, Place>> {
  const { rows } = await sql<Place>`
    with place as materialized (
      select id, name, id_path from folders
      where workspace_id = ${workspace.id} and id = any(${ids}::int[]) and deleted_at is null
      order by id for update
    )
    select p.id, p.name, p.id_path, '/' || coalesce((
      select string_agg(a.name, '/' order by cardinality(a.id_path)) from folders a
      where a.workspace_id = ${workspace.id} and a.id = any(p.id_path) and a.id <> 0), '') as path
    from place p`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

async function applyOne(db: Db, { group, rights }: RightsSetting, place: Place) {
  const [before, ...below] = await listRights(db, group, place)
  if (!before) throw notFound()
  const wanted = FLAGS.flatMap((flag) => {
    const value = rights === null ? null : rights[flag]
    return value === undefined ? [] : [{ flag, value }]
  })
  const gone = await setRows(db, group, place, wanted)
  const [after = before] = await listRights(db, group, place)
  const effect: Applied = {
    folder_id: place.id,
    folder_name: place.name,
    path: place.path,
    group_id: group.id,
    group_name: group.name,
    before: before.rights,
    after: after.rights,
    below: gone,
    flags: wanted.map(({ flag }) => flag),
  }
  // Every folder that had a row of its own, from the top down, with all of its rights: in this order nothing is lost.
  const inverse = [before, ...below].map((each) => ({
    folder_id: each.folder_id,
    group_id: group.id,
    rights: each.rights,
  }))
  return { effect, inverse }
}

/** Effective rights of the folder itself, then of those below it that have rows of their own, from the top down. */
async function listRights(db: Db, group: AdministeredGroup, { id, id_path }: Place) {
  const { rows } = await sql<{ folder_id: number } & Rights>`
    select o.folder_id, r.view, r.download, r.upload
    from (
      select ${id}::int as folder_id, ${id_path}::int[] as id_path
      union
      select p.folder_id, p.id_path from folder_permissions p
      where p.workspace_id = ${group.workspace.id} and p.group_id = ${group.id}
        and p.id_path > ${id_path}::int[] and p.id_path < id_path_end(${id_path}::int[])
    ) o
    cross join lateral ${rightsOf(group.workspace.id, [group.id], sql`o.id_path`)} r
    order by cardinality(o.id_path), o.id_path`.execute(db)
  return rows.map(({ folder_id, ...rights }) => ({ folder_id, rights }))
}

/** @returns how many folders below had a row that is gone now */
async function setRows(
  db: Db,
  { id: group_id, workspace }: AdministeredGroup,
  { id, id_path }: Place,
  wanted: readonly { flag: Flag; value: boolean | null }[],
): Promise<number> {
  const flags = wanted.map(({ flag }) => flag)
  const { rows } = await sql<{ below: number }>`
    with gone as (
      delete from folder_permissions
      where workspace_id = ${workspace.id} and group_id = ${group_id} and flag = any(${flags}::text[])
        and id_path >= ${id_path}::int[] and id_path < id_path_end(${id_path}::int[])
      returning folder_id
    )
    select count(distinct folder_id)::int as below from gone where folder_id <> ${id}`.execute(db)
  await sql`
    insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select ${workspace.id}, ${group_id}, w.flag, ${id}, ${id_path}::int[], w.value
    from unnest(${flags}::text[], ${wanted.map(({ value }) => value)}::boolean[]) w (flag, value)
    where w.value <> coalesce((
      select p.value from folder_permissions p
      where p.workspace_id = ${workspace.id} and p.group_id = ${group_id} and p.flag = w.flag
        and p.folder_id = any(${id_path.slice(0, -1)}::int[])
      order by cardinality(p.id_path) desc limit 1), false)`.execute(db)
  return rows[0]?.below ?? 0
}

function isChange({ before, after, below }: Effect): boolean {
  return below > 0 || FLAGS.some((flag) => before[flag] !== after[flag])
}
