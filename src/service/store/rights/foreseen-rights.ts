import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Work } from '../../../wire/work.ts'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredWorkspace, VisibleFolder } from '../../access/scopes.ts'
import { isActive, isOfAdmins, rightsOf, workspaceAdmins } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../base/turns.ts'
import { byGroup, listPlaces, type Moved, type RightsRow } from './foreseen-places.ts'
import { type GroupRights, hasAny, movingRights, type RightsMoved, sizeOf } from './rights-moved.ts'

type Foreseen = Reply<Api['permissions']['foresee']>
type Verb = Input<Api['permissions']['foresee']>['body']['verb']

const MAX_LISTED = 50
/** Users in the same groups are one kind and are judged once. If there are more kinds, only the largest are judged. */
const MAX_KINDS = 500

/**
 * Foresees who gains and loses which rights if folders and files go to a destination, from the rows that decide at
 * present. A copy gives rights to users who can see the copy but not the original, and takes none.
 * @throws ApiError 404 if one of them is absent
 */
export async function foreseeRights(
  db: Db,
  workspace: AdministeredWorkspace,
  { verb, ...moved }: Moved & { verb: Verb },
): Promise<Foreseen> {
  return foreseeFor(db, workspace, async (groups) => {
    const ids = groups.map(({ id }) => id)
    const [{ places, is_partial }, after] = await Promise.all([
      listPlaces(db, workspace, ids, verb === 'move' ? moved : { ...moved, stays: true }),
      getRights(db, workspace, ids, moved.destination),
    ])
    return { is_partial, moving: (groupIds) => movingRights(groupIds, places, after, verb === 'copy') }
  })
}

/** What users in some groups gain and lose. */
interface Foreseeing {
  is_partial: boolean
  moving: (groupIds: readonly number[]) => Work<RightsMoved>
}

/** Tells what each group gains and loses, and each person by the groups that they are in. */
export async function foreseeFor(
  db: Db,
  workspace: AdministeredWorkspace,
  read: (groups: readonly { id: number }[]) => Promise<Foreseeing>,
): Promise<Foreseen> {
  const groups = await listActiveGroups(db, workspace)
  const ids = groups.map(({ id }) => id)
  const [{ is_partial, moving }, kinds] = await Promise.all([read(groups), listKinds(db, workspace, ids)])
  const changedGroups = await inTurns(
    findingChanges(groups, function* ({ id, name }) {
      return { group_id: id, group_name: name, ...(yield* moving([id])) }
    }),
  )
  const changedKinds = await inTurns(
    findingChanges(kinds.slice(0, MAX_KINDS), function* ({ group_ids, user_ids }) {
      return { user_ids, ...(yield* moving(group_ids)) }
    }),
  )
  return {
    groups: { total: changedGroups.length, listed: changedGroups.slice(0, MAX_LISTED) },
    people: {
      total: changedKinds.reduce((sum, { user_ids }) => sum + user_ids.length, 0),
      listed: await withNames(db, workspace, changedKinds),
    },
    is_partial: is_partial || kinds.length > MAX_KINDS,
  }
}

/** Yields the users or groups that gain or lose anything, those with the most changes first. */
function* findingChanges<Each, Change extends RightsMoved>(
  all: readonly Each[],
  moving: (each: Each) => Work<Change>,
): Work<Change[]> {
  const changes: Change[] = []
  for (const each of all) {
    const change = yield* moving(each)
    if (hasAny(change)) changes.push(change)
  }
  return changes.sort(mostFirst)
}

const mostFirst = (a: RightsMoved, b: RightsMoved) => sizeOf(b) - sizeOf(a)

/** Groups that take folder permissions and grant something today. */
async function listActiveGroups(db: Db, workspace: AdministeredWorkspace): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspace.id)
    .where(sql<boolean>`not ${isOfAdmins('groups')}`)
    .where(isActive('groups', todayOf(workspace.actor)))
    .orderBy('name')
    .orderBy('id')
    .execute()
}

async function getRights(
  db: Db,
  workspace: AdministeredWorkspace,
  groupIds: number[],
  { id_path }: VisibleFolder,
): Promise<GroupRights> {
  const { rows } = await sql<RightsRow>`
    select g.id as group_id, r.view, r.download, r.upload
    from unnest(${groupIds}::int[]) g (id)
    cross join lateral ${rightsOf(workspace.id, sql`array[g.id]`, sql`${id_path}::int[]`)} r`.execute(db)
  return byGroup(rows)
}

interface Kind {
  group_ids: number[]
  user_ids: number[]
}

/** Members by their groups, with one kind more than are judged. Workspace admins gain and lose nothing. */
async function listKinds(db: Db, workspace: AdministeredWorkspace, groupIds: number[]): Promise<Kind[]> {
  const { rows } = await sql<Kind>`
    with person as (
      select m.user_id, array_agg(m.group_id order by m.group_id) as group_ids
      from group_memberships m
      where m.workspace_id = ${workspace.id} and m.group_id = any(${groupIds}::int[]) and m.user_id not in (
        select a.user_id from ${workspaceAdmins} a where a.workspace_id = ${workspace.id})
      group by m.user_id
    )
    select group_ids, array_agg(user_id order by user_id) as user_ids from person
    group by group_ids order by count(*) desc, group_ids limit ${MAX_KINDS + 1}`.execute(db)
  return rows
}

/** The first users of the kinds, by name within each kind. */
async function withNames(
  db: Db,
  workspace: AdministeredWorkspace,
  kinds: readonly (RightsMoved & { user_ids: number[] })[],
): Promise<Foreseen['people']['listed']> {
  const wanted = kinds.flatMap(({ user_ids }) => user_ids.slice(0, MAX_LISTED)).slice(0, MAX_LISTED)
  const users = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', sql<number>`any(${wanted}::int[])`)
    .orderBy('first_name')
    .orderBy('last_name')
    .orderBy('id')
    .execute()
  return kinds.flatMap(({ user_ids, gains, loses }) =>
    users.filter(({ id }) => user_ids.includes(id)).map((user) => ({ user, gains, loses })),
  )
}
