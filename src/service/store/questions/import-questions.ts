import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Routed } from './questions.ts'
import { noteRoutes, routeFor } from './routes.ts'

type Imported = Input<Api['questions']['import']>['body']['questions']

/** Characters of the texts that one statement stores, a question's more at most. */
const LETTERS_AT_A_TIME = 500_000

/**
 * Adds questions in their order, routed by their categories. @returns what they were given, in the same order
 * @throws ApiError 422 with the place of the first one whose group or category is unknown
 */
export async function importQuestions(db: Db, workspace: AdministeredWorkspace, asked: Imported): Promise<Routed[]> {
  await requireKnown(db, workspace, asked)
  const routed: Routed[] = []
  for (const some of piecesOf(asked)) routed.push(...(await insertQuestions(db, workspace, some)))
  return routed
}

function* piecesOf(asked: Imported): Iterable<Imported> {
  let piece: Imported = []
  let letters = 0
  for (const each of asked) {
    piece.push(each)
    letters += each.subject.length + each.text.length + each.draft.length
    if (letters < LETTERS_AT_A_TIME) continue
    yield piece
    piece = []
    letters = 0
  }
  if (piece.length > 0) yield piece
}

async function insertQuestions(db: Db, workspace: AdministeredWorkspace, asked: Imported): Promise<Routed[]> {
  const count = asked.length
  await sql`
    with counted as (
      select group_id, count(*)::int as added from unnest(${asked.map(({ group_id }) => group_id)}::int[]) as of (group_id)
      group by group_id order by group_id
    )
    insert into question_groups as a (workspace_id, group_id, last_number)
    select ${workspace.id}, group_id, added from counted
    on conflict (workspace_id, group_id) do update set last_number = a.last_number + excluded.last_number`.execute(db)
  const { rows } = await sql<Routed>`
    with line as materialized (
      select of.*, row_number() over (partition by of.group_id order by of.at desc) - 1 as later
      from jsonb_to_recordset(${JSON.stringify(asked.map((each, at) => ({ ...each, at: at + 1 })))}::jsonb)
        as of (at int, group_id int, subject text, text text, priority question_priority, category text, draft text)
    ), room as (
      insert into question_rooms as r (workspace_id, last_number) values (${workspace.id}, ${count}::int)
      on conflict (workspace_id) do update set last_number = r.last_number + excluded.last_number returning last_number
    ), added as (
      insert into questions (workspace_id, number, group_id, group_name, group_number, status, priority, category, subject,
        text, asked_by, imported, draft, drafted_by, drafted_at, assignee_id, approver_id, due_on)
      select ${workspace.id}, room.last_number - ${count}::int + line.at, g.id, g.name, a.last_number - line.later,
        case when line.draft = '' then 'open' else 'draft' end::question_status, line.priority, line.category, line.subject,
        line.text, ${workspace.actor.id}, true, line.draft, case when line.draft <> '' then ${workspace.actor.id}::int end,
        case when line.draft <> '' then now() end, route.assignee_id, route.approver_id, route.due_on
      from line cross join room
      join groups g on g.workspace_id = ${workspace.id} and g.id = line.group_id
      join question_groups a on a.workspace_id = g.workspace_id and a.group_id = g.id
      left join lateral ${routeFor(workspace, sql`line.category`)} route on true
      returning workspace_id, id, number, category, drafted_by, assignee_id, approver_id, due_on
    ), drafted as (
      insert into question_entries (workspace_id, question_id, user_id, kind)
      select workspace_id, id, drafted_by, 'drafted' from added where drafted_by is not null
    ), noted as (${noteRoutes(workspace)})
    select assignee_id, approver_id, due_on::text from added order by number`.execute(db)
  return rows
}

/** Locks the groups, whose numbers are given next, until the end of the transaction. */
async function requireKnown(db: Db, { id }: AdministeredWorkspace, asked: Imported): Promise<void> {
  const ids = [...new Set(asked.map(({ group_id }) => group_id))]
  const groups = await db
    .selectFrom('groups')
    .select('id')
    .where('workspace_id', '=', id)
    .where('kind', '=', 'custom')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(groups.map((group) => group.id))
  const groupless = asked.findIndex(({ group_id }) => !known.has(group_id))
  if (groupless >= 0) throw unprocessable(`questions.${groupless}.group_id`, 'custom_group')
  const room = await db
    .selectFrom('question_rooms')
    .select('categories')
    .where('workspace_id', '=', id)
    .executeTakeFirst()
  const categories = new Set(room?.categories ?? [])
  const uncategorized = asked.findIndex(({ category }) => category !== undefined && !categories.has(category))
  if (uncategorized >= 0) throw unprocessable(`questions.${uncategorized}.category`, 'known_category')
}
