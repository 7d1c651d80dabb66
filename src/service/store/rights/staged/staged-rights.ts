import { sql } from 'kysely'
import { MOST_STAGED } from '../../../../contract/endpoints/deal/staged-rights.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { FLAGS, type Flag, type FlagSetting } from '../../../../contract/endpoints/permissions.ts'
import type { Api } from '../../../../contract/index.ts'
import type { RightsSetting } from '../../../access/rights-settings.ts'
import type { AdministeredWorkspace, Rights } from '../../../access/scopes.ts'
import {
  isBelow,
  isInDraft,
  isInSubtree,
  nearestOverrides,
  PLANNED_RIGHTS,
  rightsOf,
  SET_RIGHTS,
} from '../../../access/sql.ts'
import { nameOf } from '../../../auth/actor.ts'
import { notFound, refusal } from '../../../base/errors.ts'
import { mapInTurns } from '../../../base/turns.ts'
import type { Db } from '../../../db/pool.ts'
import { outlinesAmong } from '../../folders/outlines.ts'

type Staged = Reply<Api['stagedRights']['list']>[number]

interface Place {
  id: number
  name: string
  id_path: number[]
}

/**
 * Stages settings one after another: each replaces what it covers. One that would change nothing is not kept. Requires the
 * shared lock of the tree.
 * @returns the folders
 * @throws ApiError 404 if a folder is absent, 409 if too many are staged then
 */
export async function stageRights(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
): Promise<Map<number, Place>> {
  const places = await findPlaces(db, workspace, [...new Set(settings.map(({ folder_id }) => folder_id))])
  // Sent together: PostgreSQL runs them in this order.
  const staging = settings.map((setting) => stage(db, workspace, setting, places.get(setting.folder_id)?.id_path ?? []))
  const [staged] = await Promise.all([countStaged(db, workspace), ...staging])
  if (staged > MOST_STAGED) throw refusal('too_many_staged', { limit: MOST_STAGED })
  return places
}

async function findPlaces(db: Db, { id }: AdministeredWorkspace, ids: readonly number[]): Promise<Map<number, Place>> {
  const { rows } = await sql<Place>`
    select f.id, f.name, f.id_path from folders f
    where f.workspace_id = ${id} and f.id = any(${ids}::int[]) and f.deleted_at is null`.execute(db)
  if (rows.length < ids.length) throw notFound()
  return new Map(rows.map((row) => [row.id, row]))
}

async function stage(
  db: Db,
  { id, actor }: AdministeredWorkspace,
  { group, folder_id, rights }: RightsSetting,
  idPath: readonly number[],
) {
  const wanted = FLAGS.filter((flag) => rights?.[flag] !== undefined)
  const values = wanted.map((flag) => rights?.[flag] ?? false)
  const path = sql`${idPath}::int[]`
  const freeing = sql`
    delete from staged_rights s using folders f
    where s.workspace_id = ${id} and s.group_id = ${group.id} and s.flag = any(${wanted}::text[])
      and f.workspace_id = s.workspace_id and f.id = s.folder_id and ${isInSubtree(sql`f.id_path`, path)}`.execute(db)
  const keeping = sql`
    insert into staged_rights (workspace_id, group_id, flag, folder_id, value, staged_by_id, staged_at)
    select ${id}, ${group.id}, w.flag, ${folder_id}, w.value, ${actor.id}, clock_timestamp()
    from unnest(${wanted}::text[], ${values}::boolean[]) w (flag, value)
    where w.value <> coalesce((
        select n.value from ${nearestOverrides(id, path, sql`array[${group.id}::int]`, PLANNED_RIGHTS)} n
        where n.flag = w.flag), false)
      or exists (
        select from ${PLANNED_RIGHTS} p where p.workspace_id = ${id} and p.group_id = ${group.id} and p.flag = w.flag
          and p.value <> w.value and ${isBelow(sql`p.id_path`, path)})
    on conflict (workspace_id, group_id, flag, folder_id) do update
    set value = excluded.value, staged_by_id = excluded.staged_by_id, staged_at = excluded.staged_at`.execute(db)
  await Promise.all([freeing, keeping])
}

/** Pairs of a folder and a group with staged rights, also those in the trash. */
async function countStaged(db: Db, { id }: AdministeredWorkspace): Promise<number> {
  const { rows } = await sql<{ staged: number }>`
    select count(*)::int as staged from (
      select distinct group_id, folder_id from staged_rights where workspace_id = ${id}) pair`.execute(db)
  return rows[0]?.staged ?? 0
}

type Row = Omit<Staged, 'staged_by'> & { stager: { id: number; first_name: string; last_name: string; email: string } }

/** What is staged and would change a right, in the order of the tree. */
export async function listStaged(db: Db, workspace: AdministeredWorkspace): Promise<Staged[]> {
  const { id } = workspace
  const pair = sql`array[staged.group_id]`
  const json = (rights: string) => sql`json_build_object('view', ${sql.ref(`${rights}.view`)},
    'download', ${sql.ref(`${rights}.download`)}, 'upload', ${sql.ref(`${rights}.upload`)})`
  const { rows } = await sql<Row>`
    with staged as materialized (
      select s.group_id, s.folder_id, f.id_path, array_agg(s.flag) as flags,
        (array_agg(s.staged_by_id order by s.staged_at desc))[1] as stager_id, max(s.staged_at) as staged_at
      from staged_rights s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
      where s.workspace_id = ${id} and f.deleted_at is null
      group by s.group_id, s.folder_id, f.id_path
    )
    select staged.folder_id, staged.group_id, g.name as group_name, staged.staged_at, ${json('was')} as before,
      ${json('will')} as after, lost.below, coalesce(n.outline, '') as outline, (
        select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
        where a.workspace_id = ${id} and a.id = any(staged.id_path) and a.id <> 0
      ) as path, ${isInDraft(id, sql`staged.id_path`)} as in_draft, json_build_object('id', staged.stager_id,
        'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, ''),
        'email', coalesce(u.email, '')) as stager
    from staged join groups g on g.workspace_id = ${id} and g.id = staged.group_id
    left join users u on u.organization_id = ${workspace.organization_id} and u.id = staged.stager_id
    left join ${outlinesAmong(workspace, { ids: sql`array(select folder_id from staged)` })} n on n.id = staged.folder_id
    cross join lateral ${rightsOf(id, pair, sql`staged.id_path`, SET_RIGHTS)} was
    cross join lateral ${rightsOf(id, pair, sql`staged.id_path`, PLANNED_RIGHTS)} will
    cross join lateral (
      select count(distinct p.folder_id)::int as below from ${SET_RIGHTS} p
      where p.workspace_id = ${id} and p.group_id = staged.group_id and p.flag = any(staged.flags)
        and ${isBelow(sql`p.id_path`, sql`staged.id_path`)}
    ) lost
    where was is distinct from will or lost.below > 0
    order by staged.id_path, g.name, g.id`.execute(db)
  return mapInTurns(rows, ({ stager, ...row }) => ({ ...row, staged_by: { id: stager.id, name: nameOf(stager) } }))
}

export interface TakenRights {
  folder_id: number
  group_id: number
  rights: FlagSetting
}

/**
 * Takes away what is staged, but not on folders in the trash, to be set in this order: folders come before those inside them.
 * @param readUntil the time of the last one that the caller has read
 * @throws ApiError 409 if something was staged since
 */
export async function takeStaged(db: Db, { id }: AdministeredWorkspace, readUntil?: string): Promise<TakenRights[]> {
  const { rows } = await sql<{
    folder_id: number
    group_id: number
    flags: Flag[]
    values: boolean[]
    is_later: boolean
  }>`
    with taken as (
      delete from staged_rights s using folders f
      where s.workspace_id = ${id} and f.workspace_id = s.workspace_id and f.id = s.folder_id and f.deleted_at is null
      returning s.folder_id, s.group_id, s.flag, s.value, s.staged_at, f.id_path
    )
    select folder_id, group_id, array_agg(flag) as flags, array_agg(value) as values,
      coalesce(max(staged_at) > ${readUntil ?? null}::timestamptz, false) as is_later
    from taken group by folder_id, group_id, id_path order by cardinality(id_path), folder_id, group_id`.execute(db)
  if (rows.some(({ is_later }) => is_later)) throw refusal('rights_staged_since')
  return rows.map(({ flags, values, ...place }) => ({
    ...place,
    rights: Object.fromEntries(flags.map((flag, at) => [flag, values[at]])),
  }))
}

export interface Discarded {
  folder_id: number
  folder_name: string
  group_id: number
  group_name: string
  rights: Partial<Rights>
}

/** Discards what is staged, of one group on one folder if they are given. @returns it */
export async function discardStaged(
  db: Db,
  { id }: AdministeredWorkspace,
  { folder_id, group_id }: { folder_id?: number | undefined; group_id?: number | undefined },
): Promise<Discarded[]> {
  const { rows } = await sql<Discarded>`
    with gone as (
      delete from staged_rights where workspace_id = ${id}
        ${folder_id === undefined ? sql`` : sql`and folder_id = ${folder_id}`}
        ${group_id === undefined ? sql`` : sql`and group_id = ${group_id}`}
      returning folder_id, group_id, flag, value
    )
    select gone.folder_id, gone.group_id, f.name as folder_name, g.name as group_name,
      json_object_agg(gone.flag, gone.value) as rights
    from gone join folders f on f.workspace_id = ${id} and f.id = gone.folder_id
    join groups g on g.workspace_id = ${id} and g.id = gone.group_id
    group by gone.folder_id, gone.group_id, f.name, g.name order by gone.folder_id, gone.group_id`.execute(db)
  return rows
}
