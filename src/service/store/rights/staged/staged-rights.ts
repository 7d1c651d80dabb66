import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { MOST_STAGED } from '../../../../contract/endpoints/deal/staged-rights.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { FLAGS, type FlagSetting } from '../../../../contract/endpoints/permissions.ts'
import type { Api } from '../../../../contract/index.ts'
import type { RightsSetting } from '../../../access/rights-settings.ts'
import type { AdministeredWorkspace, Rights } from '../../../access/scopes.ts'
import { isBelow, isInDraft, PLANNED_RIGHTS, rightsOf, SET_RIGHTS } from '../../../access/sql.ts'
import { nameOf } from '../../../auth/actor.ts'
import { notFound, refusal } from '../../../base/errors.ts'
import { mapInTurns } from '../../../base/turns.ts'
import type { Db } from '../../../db/pool.ts'
import { numberedPathForAdmins, outlinesAmong } from '../../folders/outlines.ts'
import { lockGroup } from '../../workspaces/groups.ts'
import { stagedIn } from './staged-rows.ts'

type Listed = Reply<Api['stagedRights']['list']>
type Staged = Listed['changes'][number]

interface Place {
  id: number
  name: string
  id_path: number[]
}

/**
 * Stages settings one after another: each replaces what it covers. One that would change nothing is not kept. Requires the
 * shared lock of the tree.
 * @returns the folders
 * @throws ApiError 404 if a folder or group is absent, 409 if too many are staged then
 */
export async function stageRights(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
): Promise<Map<number, Place>> {
  const groups = [...new Map(settings.map(({ group }) => [group.id, group])).values()].sort((a, b) => a.id - b.id)
  const folderIds = [...new Set(settings.map(({ folder_id }) => folder_id))]
  // Sent together: PostgreSQL runs them in this order.
  const [places] = await Promise.all([
    findPlaces(db, workspace, folderIds),
    ...groups.map((group) => lockGroup(db, group)),
  ])
  const staging = settings.map((setting) => stage(db, workspace, setting, places.get(setting.folder_id)))
  const [kept, staged] = await Promise.all([Promise.all(staging), countStaged(db, workspace)])
  if (kept.some(Boolean) && staged > MOST_STAGED) throw refusal('too_many_staged', { limit: MOST_STAGED })
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
  place: Place | undefined,
): Promise<boolean> {
  const flags = FLAGS.filter((flag) => rights?.[flag] !== undefined)
  const values = flags.map((flag) => rights?.[flag] ?? false)
  const { rows } = await sql<{ is_kept: boolean }>`
    select stage_rights(${id}, ${group.id}, ${folder_id}, ${place?.id_path ?? []}::int[], ${flags}::text[],
      ${values}::boolean[], ${actor.id}) as is_kept`.execute(db)
  return rows[0]?.is_kept ?? false
}

/** Pairs of a folder and a group with staged rights. */
async function countStaged(db: Db, { id }: AdministeredWorkspace): Promise<number> {
  const { rows } = await sql<{ staged: number }>`
    select count(*)::int as staged from (
      select distinct s.group_id, s.folder_id from ${stagedIn(id)} s) pair`.execute(db)
  return rows[0]?.staged ?? 0
}

interface Row extends Omit<Staged, 'staged_by' | 'flags'>, Pair {
  stager: { id: number; first_name: string; last_name: string; email: string }
}

/** Rights that are staged for a group on a folder. */
interface Pair {
  folder_id: number
  group_id: number
  id_path: number[]
  rights: FlagSetting
}

/** Differs if anything else is staged, or on a folder elsewhere. Of the very rows that are shown or published. */
function digestOf(pairs: readonly Pair[]): string {
  const told = pairs.map(({ group_id, id_path, rights }) => JSON.stringify([group_id, id_path, flagsIn(rights)]))
  return createHash('sha256').update(told.toSorted().join()).digest('hex')
}

const flagsIn = (rights: FlagSetting) => FLAGS.map((flag) => rights[flag] ?? null)

/** What is staged, but not on folders in the trash, in the order of the tree. */
export async function listStaged(db: Db, workspace: AdministeredWorkspace): Promise<Listed> {
  const rows = await readStaged(db, workspace)
  const changes = await mapInTurns(rows, ({ stager, rights, id_path: _path, ...row }) => ({
    ...row,
    flags: FLAGS.filter((flag) => rights[flag] !== undefined),
    staged_by: { id: stager.id, name: nameOf(stager) },
  }))
  return { changes, digest: digestOf(rows) }
}

async function readStaged(db: Db, workspace: AdministeredWorkspace): Promise<Row[]> {
  const { id } = workspace
  const pair = sql`array[staged.group_id]`
  const json = (rights: string) => sql`json_build_object('view', ${sql.ref(`${rights}.view`)},
    'download', ${sql.ref(`${rights}.download`)}, 'upload', ${sql.ref(`${rights}.upload`)})`
  const { rows } = await sql<Row>`
    with staged as materialized (
      select s.group_id, s.folder_id, s.id_path, json_object_agg(s.flag, s.value) as rights,
        (array_agg(s.staged_by_id order by s.staged_at desc))[1] as stager_id, max(s.staged_at) as staged_at
      from ${stagedIn(id)} s group by s.group_id, s.folder_id, s.id_path
    )
    select staged.folder_id, staged.group_id, g.name as group_name, staged.staged_at, ${json('was')} as before,
      ${json('will')} as after, staged.rights, staged.id_path, lost.below, coalesce(n.outline, '') as outline, (
        select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
        where a.workspace_id = ${id} and a.id = any(staged.id_path) and a.id <> 0
      ) as path, ${numberedPathForAdmins(id, sql`staged.id_path`)} as numbered_path, ${isInDraft(id, sql`staged.id_path`)} as in_draft, json_build_object('id', staged.stager_id,
        'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, ''),
        'email', coalesce(u.email, '')) as stager
    from staged join groups g on g.workspace_id = ${id} and g.id = staged.group_id
    left join users u on u.organization_id = ${workspace.organization_id} and u.id = staged.stager_id
    left join ${outlinesAmong(workspace, { ids: sql`array(select folder_id from staged)` })} n on n.id = staged.folder_id
    cross join lateral ${rightsOf(id, pair, sql`staged.id_path`, SET_RIGHTS)} was
    cross join lateral ${rightsOf(id, pair, sql`staged.id_path`, PLANNED_RIGHTS)} will
    cross join lateral (
      select count(*)::int as below from (
        select distinct p.folder_id from ${SET_RIGHTS} p
        where p.workspace_id = ${id} and p.group_id = staged.group_id and p.flag in ('view', 'download', 'upload')
          and ${isBelow(sql`p.id_path`, sql`staged.id_path`)}
      ) own
      where not exists (
        select from ${PLANNED_RIGHTS} p
        where p.workspace_id = ${id} and p.group_id = staged.group_id and p.folder_id = own.folder_id offset 0)
    ) lost
    order by staged.id_path, g.name, g.id`.execute(db)
  return rows
}

/**
 * Takes away what is staged, but not on folders in the trash, to be set in this order: folders come before those inside them.
 * @param digest of what the caller has read
 * @throws ApiError 409 if something else is staged by now
 */
export async function takeStaged(db: Db, { id }: AdministeredWorkspace, digest?: string): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with taken as (
      delete from staged_rights s using folders f
      where s.workspace_id = ${id} and f.workspace_id = s.workspace_id and f.id = s.folder_id and f.deleted_at is null
      returning s.folder_id, s.group_id, s.flag, s.value, f.id_path
    )
    select folder_id, group_id, id_path, json_object_agg(flag, value) as rights
    from taken group by folder_id, group_id, id_path order by cardinality(id_path), folder_id, group_id`.execute(db)
  if (digest !== undefined && digestOf(rows) !== digest) throw refusal('staged_rights_changed')
  return rows
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
