import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { isUnsettled, passesTo } from '../../access/experts.ts'
import { viewable } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { todayOf } from '../../auth/actor.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { filesOf, nameIn, placeOf, type PlaceRow } from './question-rows.ts'

type Page = Reply<Api['experts']['listPassed']>
type Passed = Page['questions'][number]
type Thread = Reply<Api['experts']['getPassed']>
type Row = Omit<Passed, 'place'> & PlaceRow

/** The expert, who is another person than the actor where an admin looks at what the expert sees. */
interface Reader {
  workspace: Workspace
  userId: number
}

const COLUMNS = sql`p.id, p.subject, p.category, p.state, p.asked_at, p.due_on, p.file_id, p.at_folder_id, p.place_title,
  p.page_number, p.place_gone`

/** @returns a page of the questions that were passed to the expert */
export async function listPassed(
  db: Db,
  reader: Reader,
  { after, per_page }: Input<Api['experts']['listPassed']>['query'],
): Promise<Page> {
  // The cursor holds the place: its question may be withdrawn before the next page is read.
  const [place, lastId] = after?.split('_') ?? []
  const { rows } = await sql<Row & { cursor: string }>`
    select ${COLUMNS}, p.place || '_' || p.id as cursor from (${passedTo(reader)}) p
    where ${after === undefined ? sql`true` : sql`(p.place, p.id) > (${place}::numeric, ${lastId}::uuid)`}
    order by p.place, p.id limit ${per_page + 1}`.execute(db)
  const next = rows.length > per_page ? (rows[per_page - 1]?.cursor ?? null) : null
  return { questions: rows.slice(0, per_page).map(toPassed), next }
}

/**
 * `whenFound` runs beside the last reads.
 * @throws ApiError 404 for a question that the expert may not see now
 */
export async function getPassed(db: Db, reader: Reader, id: string, whenFound?: () => Promise<void>): Promise<Thread> {
  const { workspace, userId } = reader
  const { rows } = await sql<Row & Pick<Thread, 'text' | 'files'>>`
    select ${COLUMNS}, told.text, ${filesOf(workspace, sql`told`)} as files from (${passedTo(reader)}) p
    join questions told on told.workspace_id = ${workspace.id} and told.id = p.id where p.id = ${id}::uuid`.execute(db)
  const [row] = rows
  if (!row) throw notFound()
  const [entries] = await Promise.all([listSaid(db, workspace, { id, userId }), whenFound?.()])
  return { ...toPassed(row), text: row.text, files: row.files, entries }
}

const toPassed = ({ id, subject, category, state, asked_at, due_on, ...row }: Row): Passed => ({
  id,
  subject,
  category,
  state,
  asked_at,
  due_on,
  place: placeOf(row),
})

/** Questions of an expert in their order, by `place`: first those that wait. Places that the expert may not view are null. */
function passedTo({ workspace, userId }: Reader): RawBuilder<unknown> {
  const state = sql`case when not ${isUnsettled} then 'settled' when p.replied_at is null then 'waiting' else 'replied' end`
  return sql`
    select passed.*, array_position(array['waiting', 'replied', 'settled'], passed.state) * 1e12 - extract(epoch from passed.asked_at) as place
    from (
      select q.id, q.subject, q.category, ${state} as state, p.asked_at, q.due_on::text,
        case when d.id is not null then f.id end as file_id, d.id as at_folder_id,
        case when d.id is not null then coalesce(f.title, d.name) end as place_title,
        case when d.id is not null then q.page_number end as page_number, false as place_gone
      from ${passesTo(workspace, userId, todayOf(workspace.actor))} p
      join questions q on q.workspace_id = p.workspace_id and q.id = p.question_id
      left join files f on f.workspace_id = q.workspace_id and f.id = q.file_id and f.deleted_at is null
      left join folders d on d.workspace_id = q.workspace_id and d.id = case when q.file_id is null then q.folder_id else f.folder_id end
        and d.deleted_at is null and ${viewable(workspace, sql`d.id_path`)}
    ) passed`
}

const SAID = sql`('passed', 'asked_back', 'expert_drafted', 'expert_remarked')`

/** What was said between the answerers and this expert since the question was passed to them. Ids of entries would count those of other questions. */
async function listSaid(
  db: Db,
  { id: workspaceId, organization_id }: Workspace,
  { id, userId }: { id: string; userId: number },
): Promise<Thread['entries']> {
  const { rows } = await sql<Thread['entries'][number]>`
    select case e.kind when 'expert_drafted' then 'drafted' when 'expert_remarked' then 'remarked' else 'asked' end as kind,
      e.user_id = ${userId} as own, coalesce(${nameIn('u')}, '') as user_name, e.text, e.created_at
    from question_entries e left join users u on u.organization_id = ${organization_id} and u.id = e.user_id
    where e.workspace_id = ${workspaceId} and e.question_id = ${id}::uuid and e.expert_id = ${userId} and e.kind in ${SAID}
      and e.id >= (select max(began.id) from question_entries began where began.workspace_id = ${workspaceId}
        and began.question_id = ${id}::uuid and began.expert_id = ${userId} and began.kind = 'passed')
    order by e.id desc limit 500`.execute(db)
  return rows.toReversed()
}
