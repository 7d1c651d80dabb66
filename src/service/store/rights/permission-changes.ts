import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { FLAGS, type Flag, type FlagSetting } from '../../../contract/endpoints/permissions.ts'
import type { Work } from '../../../wire/work.ts'
import type { RightsSetting } from '../../access/rights-settings.ts'
import type { AdministeredGroup, AdministeredWorkspace, Rights } from '../../access/scopes.ts'
import { alongPaths, isBelow, isInDraft, rightsOf, SET_RIGHTS } from '../../access/sql.ts'
import { inOnePass, MANY } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { inTurns, mapInTurns } from '../../base/turns.ts'
import { lockTree } from '../folders/folders.ts'
import { numberedPathForAdmins } from '../folders/outlines.ts'
import { lockGroup } from '../workspaces/groups.ts'
import { setRows } from './permissions.ts'
import { findingWaves, type FolderRights, groupingByIndex, listRightsInOnePass, setWave } from './permission-waves.ts'

type Changed = Reply<Api['permissions']['change']>
type Effect = Changed['effects'][number]
type RightsChange = Changed['inverse'][number]

interface Place {
  id: number
  name: string
  id_path: number[]
  path: string
  numbered_path: string
  is_draft: boolean
}

/** An effect with the data that its activity needs. */
export type Applied = Effect & { folder_name: string; is_draft: boolean; flags: Flag[] }

/** The effect as the API shows it. */
export const shownEffect = ({ folder_name: _name, flags: _flags, is_draft: _draft, ...effect }: Applied): Effect =>
  effect

/**
 * Applies settings of rights one after another and reports their combined effect.
 * @returns the effects, folder by folder, and the changes that restore the former rights exactly
 * @throws ApiError 404 if a folder is absent
 */
export async function applySettings(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
): Promise<{ applied: Applied[]; inverse: RightsChange[] }> {
  const ids = [...new Set(settings.map((setting) => setting.folder_id))]
  const groups = [...new Map(settings.map(({ group }) => [group.id, group])).values()].sort((a, b) => a.id - b.id)
  // Sent together, but granted in this order.
  const [, places, ...locked] = await Promise.all([
    lockTree(db, workspace, 'share'),
    lockPlaces(db, workspace, ids),
    ...groups.map((group) => lockGroup(db, group)),
  ])
  const names = new Map(locked.map(({ id, name }) => [id, name]))

  const spots = await inTurns(findingSpots(settings, places))
  const [before, after] = await (settings.length < MANY ? makeFew : makeMany)(db, workspace, settings, places, spots)
  return inTurns(comparing(spots, names, before, after))
}

/** Makes the settings. @returns the rights before and after */
type Making = (
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
  places: Map<number, Place>,
  spots: readonly Spot[],
) => Promise<[FolderRights[][], FolderRights[][]]>

/** Sends all statements together. PostgreSQL runs them in this order. */
const makeFew: Making = async (db, workspace, settings, places, spots) => {
  const [before, , after] = await Promise.all([
    listRights(db, workspace, spots),
    Promise.all(
      settings.map(({ group, folder_id, rights }) => setRows(db, group, getPlace(places, folder_id), wantedOf(rights))),
    ),
    listRights(db, workspace, spots),
  ])
  return [before, after]
}

const makeMany: Making = async (db, workspace, settings, places, spots) => {
  const before = await listRights(db, workspace, spots)
  await makeSettings(db, workspace, settings, places)
  return [before, await listRights(db, workspace, spots)]
}

function* comparing(
  spots: readonly Spot[],
  names: ReadonlyMap<number, string>,
  before: readonly FolderRights[][],
  after: readonly FolderRights[][],
): Work<{ applied: Applied[]; inverse: RightsChange[] }> {
  const keys = new Set(spots.map(({ group, place }) => keyOf(group.id, place.id)))
  const applied: Applied[] = []
  const inverse: RightsChange[] = []
  for (const [at, spot] of spots.entries()) {
    const [was, is] = [before[at] ?? [], after[at] ?? []]
    const effect = effectOf(spot, names.get(spot.group.id) ?? '', was, is)
    if (effect) applied.push(effect)
    if (isTopmost(spot, keys) && !isSame(was, is)) inverse.push(...backTo(spot, was))
    yield
  }
  return { applied, inverse }
}

/** A folder and a group whose rights on it change. */
interface Spot {
  place: Place
  group: AdministeredGroup
  flags: Flag[]
}

async function makeSettings(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: readonly RightsSetting[],
  places: Map<number, Place>,
): Promise<void> {
  const placed = await mapInTurns(settings, ({ group, folder_id, rights }) => {
    const place = getPlace(places, folder_id)
    return { group, place, group_id: group.id, folder_id, id_path: place.id_path, wanted: wantedOf(rights) }
  })
  for (const wave of await inTurns(findingWaves(placed))) {
    if (wave.length >= MANY) await inOnePass(db, () => setWave(db, workspace, wave))
    else for (const { group, place, wanted } of wave) await setRows(db, group, place, wanted)
  }
}

/** Returns each spot once, folders nearer to the root first. @throws ApiError 404 */
function* findingSpots(settings: readonly RightsSetting[], places: Map<number, Place>): Work<Spot[]> {
  const spots = new Map<string, Spot>()
  for (const { group, folder_id, rights } of settings) {
    yield
    const place = getPlace(places, folder_id)
    const key = keyOf(group.id, folder_id)
    const spot = spots.get(key) ?? { place, group, flags: [] }
    spot.flags = [...new Set([...spot.flags, ...wantedOf(rights).map(({ flag }) => flag)])]
    spots.set(key, spot)
  }
  return [...spots.values()].sort((a, b) => a.place.id_path.length - b.place.id_path.length)
}

/** @throws ApiError 404 */
function getPlace(places: ReadonlyMap<number, Place>, id: number): Place {
  const place = places.get(id)
  if (!place) throw notFound()
  return place
}

function wantedOf(rights: FlagSetting | null): { flag: Flag; value: boolean | null }[] {
  return FLAGS.flatMap((flag) => {
    const value = rights === null ? null : rights[flag]
    return value === undefined ? [] : [{ flag, value }]
  })
}

function effectOf(
  { place, group, flags }: Spot,
  group_name: string,
  before: readonly FolderRights[],
  after: readonly FolderRights[],
): Applied | undefined {
  const [was, ...wasBelow] = before
  const [is, ...isBelow] = after
  if (!was || !is) return undefined
  const kept = new Set(isBelow.map(({ folder_id }) => folder_id))
  const below = wasBelow.filter(({ folder_id }) => !kept.has(folder_id)).length
  const changed = FLAGS.filter((flag) => was.rights[flag] !== is.rights[flag])
  if (changed.length === 0 && below === 0) return undefined
  return {
    folder_id: place.id,
    folder_name: place.name,
    path: place.path,
    numbered_path: place.numbered_path,
    is_draft: place.is_draft,
    group_id: group.id,
    group_name,
    before: was.rights,
    after: is.rights,
    below,
    flags: changed.length > 0 ? changed : flags,
  }
}

/** Whether no folder above the spot changes for the same group, so that its subtree is not within another spot's. */
function isTopmost({ place, group }: Spot, keys: ReadonlySet<string>): boolean {
  return !place.id_path.slice(0, -1).some((id) => keys.has(keyOf(group.id, id)))
}

const keyOf = (groupId: number, folderId: number) => `${groupId} ${folderId}`

function isSame(before: readonly FolderRights[], after: readonly FolderRights[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

/** Restores every folder that had rows of its own, from the top down: setting a folder deletes the rows below it. */
function backTo({ group }: Spot, before: readonly FolderRights[]): RightsChange[] {
  return before.map(({ folder_id, rights }) => ({ folder_id, group_id: group.id, rights }))
}

/** Locks the folders against moves and deletions, always in the same order. */
async function lockPlaces(db: Db, workspace: AdministeredWorkspace, ids: number[]): Promise<Map<number, Place>> {
  const { rows } = await sql<Place>`
    with place as materialized (
      select id, name, id_path from folders
      where workspace_id = ${workspace.id} and id = any(${ids}::int[]) and deleted_at is null
      order by id for update
    )
    select p.id, p.name, p.id_path,
      '/' || coalesce(string_agg(a.name, '/' order by p.depth) filter (where a.id <> 0), '') as path,
      ${numberedPathForAdmins(workspace.id, sql`p.id_path`)} as numbered_path,
      ${isInDraft(workspace.id, sql`p.id_path`)} as is_draft
    from ${alongPaths(sql`place`)} p
    join folders a on a.workspace_id = ${workspace.id} and a.id = p.on_path
    group by p.id, p.name, p.id_path`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Lists for each spot the effective rights of the folder itself, then of the folders below it that have rows of their
 * own, from the top down. One statement reads all spots.
 */
async function listRights(
  db: Db,
  workspace: AdministeredWorkspace,
  spots: readonly Pick<Spot, 'group' | 'place'>[],
): Promise<FolderRights[][]> {
  const { id } = workspace
  const wanted = spots.map(({ group, place }) => ({ group_id: group.id, folder_id: place.id }))
  if (spots.length >= MANY) return inOnePass(db, () => listRightsInOnePass(db, workspace, wanted))
  const groupIds = wanted.map(({ group_id }) => group_id)
  const folderIds = wanted.map(({ folder_id }) => folder_id)
  const { rows } = await sql<{ at: number; folder_id: number } & Rights>`
    select spot.at::int - 1 as at, o.folder_id, r.view, r.download, r.upload
    from unnest(${groupIds}::int[], ${folderIds}::int[]) with ordinality spot (group_id, folder_id, at)
    join folders f on f.workspace_id = ${id} and f.id = spot.folder_id
    cross join lateral (
      select f.id as folder_id, f.id_path
      union
      select p.folder_id, p.id_path from ${SET_RIGHTS} p
      where p.workspace_id = ${id} and p.group_id = spot.group_id
        and ${isBelow(sql`p.id_path`, sql`f.id_path`)}
    ) o
    cross join lateral ${rightsOf(id, sql`array[spot.group_id]`, sql`o.id_path`, SET_RIGHTS)} r
    order by spot.at, cardinality(o.id_path), o.id_path`.execute(db)
  return inTurns(groupingByIndex(spots.length, rows))
}
