import { sql } from 'kysely'
import { type Actor, todayOf } from '../../auth/actor.ts'
import { type Asked, type CallerRow, callerColumns, callers, type FindCaller, hasKey } from '../../auth/authenticate.ts'
import {
  type AskedAgain,
  type FindAgain,
  mayReturn,
  recalled,
  recalledColumns,
  type RecalledRow,
} from '../../auth/recall-actor.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import type { Fragment } from '../sql.ts'
import { fileIn } from './file.ts'
import { folderFor } from './folder.ts'
import { groupFor } from './group.ts'
import { remember } from './known.ts'
import { userFor } from './user.ts'
import { workspaceOfMember } from './workspace.ts'

/** Ids that a request names, read with its authentication. A file brings its folder along. */
export interface Named {
  workspace_id: number
  folder_id?: number | undefined
  file_id?: number | undefined
  group_id?: number | undefined
  /** A user whom the request makes a member. */
  member_id?: number | undefined
  /** The request lists the folder: also reads its `listed_state`. */
  lists?: boolean | undefined
}

export interface Arrival<Find = FindCaller> {
  /** Finds the caller, and reads what the request names. */
  find: Find
  /** Hands what was read to the authenticated actor, whose scopes are made from it. */
  remember(actor: Actor): void
}

interface Facts {
  workspace: { id: number } | null
  folder: { id: number } | null
  file: { id: number; folder_id: number } | null
  group: { id: number } | null
  user: { id: number } | null
}

/** Prepares to read what a request names in the statement that authenticates its caller. */
export function arriveAt(named: Named): Arrival {
  const { workspace_id, folder_id = null, file_id = null, group_id = null, member_id = null, lists = false } = named
  const ids = { workspace_id, folder_id, file_id, group_id, member_id }
  const has = { folder: folder_id !== null, file: file_id !== null, group: group_id !== null }
  const read = statementFor({ ...has, user: member_id !== null, lists })
  return arrival(named, (db, asked: Asked) => read(db, { ...asked, ...ids, today: todayOf(asked) }))
}

/** The same for the statement that recalls the user of an expiring URL. */
export function returnTo(named: { workspace_id: number; file_id?: number | undefined }): Arrival<FindAgain> {
  const ids = { ...named, folder_id: null, file_id: named.file_id ?? null, group_id: null, member_id: null }
  const read = ids.file_id === null ? workspaceAgain : fileAgain
  return arrival(named, (db, asked: AskedAgain) => read(db, { ...asked, ...ids, today: todayOf(asked) }))
}

function arrival<Request, Row extends Facts>(named: Named, read: (db: Db, asked: Request) => Promise<Row[]>) {
  let facts: Facts | undefined
  return {
    async find(db: Db, asked: Request) {
      const rows = await read(db, asked)
      facts = rows[0]
      return rows
    },
    remember: (actor: Actor) => facts && keep(actor, named, facts),
  }
}

function keep(actor: Actor, { workspace_id, folder_id, file_id, group_id, member_id }: Named, facts: Facts): void {
  const found = (id: number | undefined, row: object | null) =>
    id === undefined ? undefined : { id, row: row ?? undefined }
  remember(actor, {
    workspace: { id: workspace_id, row: facts.workspace ?? undefined },
    file: found(file_id, facts.file),
    folder: found(file_id === undefined ? folder_id : facts.file?.folder_id, facts.folder),
    group: found(group_id, facts.group),
    user: found(member_id, facts.user),
  })
}

/** Reads a workspace and a folder again in one statement, for an actor who was authenticated a while ago. */
export async function readAhead(
  db: Db,
  actor: Actor,
  { workspace_id, folder_id }: { workspace_id: number; folder_id: number },
): Promise<void> {
  const { organization_id, id: user_id } = actor
  const values = { organization_id, user_id, workspace_id, folder_id, file_id: null, group_id: null, member_id: null }
  const [facts] = await factsAgain(db, { ...values, today: todayOf(actor) })
  if (facts) keep(actor, { workspace_id, folder_id }, facts)
}

type Kinds = Record<'folder' | 'file' | 'group' | 'user' | 'lists', boolean>
type Values = { today: string; workspace_id: number } & Record<
  'folder_id' | 'file_id' | 'group_id' | 'member_id',
  number | null
>

const factsAgain = statement<Values & { organization_id: number; user_id: number }, Facts>((values) => {
  const facts = factsFor({ ...WORKSPACE_ONLY, folder: true }, values)
  return sql`
    select ${facts.workspace} as workspace, ${facts.file} as file, ${facts.folder} as folder, ${facts.group} as group,
      ${facts.user} as user
    from (select ${values.organization_id}::int as organization_id, ${values.user_id}::int as id) u ${facts.joins}`
})

const statements = new Map<string, ReturnType<typeof arrivalAt>>()

/** One statement for each combination of what requests name. */
function statementFor(kinds: Kinds) {
  const name = Object.values(kinds).join()
  const known = statements.get(name) ?? arrivalAt(kinds)
  statements.set(name, known)
  return known
}

const arrivalAt = (kinds: Kinds) =>
  statement<Asked & Values, CallerRow & Facts>((values) => {
    const facts = factsFor(kinds, values)
    return sql`
      select ${callerColumns(values)}, ${facts.workspace} as workspace, ${facts.file} as file, ${facts.folder} as folder,
        ${facts.group} as group, ${facts.user} as user
      from ${callers(values)} ${facts.joins} where ${hasKey(values)}`
  })

const returnOf = (kinds: Kinds) =>
  statement<AskedAgain & Values, RecalledRow & Facts>((values) => {
    const facts = factsFor(kinds, values)
    return sql`
      select ${recalledColumns}, ${facts.workspace} as workspace, ${facts.file} as file, ${facts.folder} as folder,
        null as group, null as user
      from ${recalled(values)} ${facts.joins} where ${mayReturn(values)}`
  })

const WORKSPACE_ONLY: Kinds = { folder: false, file: false, group: false, user: false, lists: false }
const workspaceAgain = returnOf(WORKSPACE_ONLY)
const fileAgain = returnOf({ ...WORKSPACE_ONLY, file: true })

/** The facts as JSON, and the joins to the caller `u` that they need. */
function factsFor(kinds: Kinds, values: ParametersOf<Values>) {
  const organizationId = sql`u.organization_id`
  const callerId = sql`u.id`
  const caller = {
    workspaceId: sql`w.id`,
    userId: callerId,
    admin: sql`w.admin`,
    groupIds: sql`w.group_ids`,
    managingGroupIds: sql`w.managing_group_ids`,
    sealingGroupIds: sql`w.sealing_group_ids`,
  }
  const at = { organizationId, id: sql`${values.workspace_id}::int`, userId: callerId }
  const joins = [sql`left join lateral ${workspaceOfMember({ ...at, today: values.today })} w on true`]
  const fact = (alias: string, row?: Fragment): Fragment => {
    if (!row) return sql`null::json`
    const name = sql.id(alias)
    joins.push(sql`left join lateral ${row} ${name} on true`)
    return sql`case when ${name}.id is not null then to_json(${name}) end`
  }
  const file = fact('file', kinds.file ? fileIn(caller.workspaceId, sql`${values.file_id}::int`) : undefined)
  const folderId = kinds.file ? sql`file.folder_id` : sql`${values.folder_id}::int`
  const numbering = kinds.lists ? sql`w.numbering` : undefined
  const folder = fact('folder', kinds.folder || kinds.file ? folderFor(caller, folderId, numbering) : undefined)
  const group = fact('own_group', kinds.group ? groupFor(caller, sql`${values.group_id}::int`) : undefined)
  const knower = { organizationId, callerId, organizationAdmin: sql`u.organization_admin_since is not null` }
  const user = fact('member', kinds.user ? userFor(knower, sql`${values.member_id}::int`) : undefined)
  const workspace = sql`case when w.id is not null then to_json(w) end`
  return { workspace, file, folder, group, user, joins: sql.join(joins, sql` `) }
}
