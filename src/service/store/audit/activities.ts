import { type RawBuilder, sql } from 'kysely'
import { FEED_ACTS, type FeedAct, sentenceOf, subjectOf, verbOf } from '../../../contract/acts.ts'
import type { Params } from '../../../contract/sentence.ts'
import { viewable } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { nameOf } from '../../auth/actor.ts'
import { committing, together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { refusal } from '../../base/errors.ts'
import { countActivities } from './activity-totals.ts'
import { readAct } from './activity-acts.ts'
import { type Deed, type Doer, entryOf, erasedForm } from './audit.ts'

export type Activity = Deed<FeedAct> & {
  /** Groups that could see the subject before an act that may hide it from them. */
  seen_by_group_ids?: readonly number[]
}

/** Records acts of the actor in the given order. @returns the time of the last one */
export async function record(db: Db, workspace: Workspace, ...acts: Activity[]): Promise<string> {
  return recordAs(db, workspace.id, workspace.actor, ...acts)
}

/** Does the same as the last work of a transaction: few acts are sent together with the commit and with `work`. */
export async function recordLast(
  db: Db,
  workspace: Workspace,
  acts: readonly Activity[],
  work: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  if (acts.length > TOGETHER) await Promise.all([work(), record(db, workspace, ...acts)])
  else await committing(db, () => Promise.all([work(), record(db, workspace, ...acts)]))
}

/** Records acts of an actor who is not inside, such as a user who leaves or joins in this very request. */
export async function recordAs(db: Db, workspaceId: number, actor: Doer, ...acts: Activity[]): Promise<string> {
  return recordIn(
    db,
    actor,
    acts.map((act) => ({ ...act, workspace_id: workspaceId })),
  )
}

/** Records acts in several workspaces, with their audit entries. @returns the time of the last one */
export async function recordIn(db: Db, actor: Doer, acts: (Activity & { workspace_id: number })[]): Promise<string> {
  let at = ''
  for (let from = 0; from < acts.length; from += TOGETHER)
    at = await insertActs(db, actor, acts.slice(from, from + TOGETHER))
  return at
}

/** Acts whose entries are written in one turn of the event loop. */
const TOGETHER = 250

/** Acts, prepared as one parameter of a statement, because a statement takes no more than 65,535 parameters. */
interface Acts {
  user_id: number
  user_name: string
  acts: string
}

const actsOf = (actor: Doer, acts: readonly (Activity & { workspace_id?: number })[]): Acts => ({
  user_id: actor.id,
  user_name: nameOf(actor),
  acts: JSON.stringify(
    acts.map((act, position) => ({
      position,
      workspace_id: act.workspace_id,
      act: act.act,
      params: wellFormed(act.params),
      verb: verbOf(act.act),
      message: sentenceOf(act).toWellFormed(),
      subject_type: subjectOf(act.act),
      subject_id: act.subject_id,
      about_user_id: act.about,
      erased_message: act.about === undefined ? undefined : sentenceOf(erasedForm(act)).toWellFormed(),
      seen_by_group_ids: act.seen_by_group_ids,
      entry: entryOf(actor, act),
    })),
  ),
})

const actsIn = ({ acts }: ParametersOf<Acts>) => sql`jsonb_to_recordset(${acts}::jsonb) as a (position int,
  workspace_id int, act text, params jsonb, verb text, message text, subject_type text, subject_id int, about_user_id int,
  erased_message text, seen_by_group_ids int[], entry text)`

/** Parts of a statement that record the rows of its part `act`. */
const recordActs = (by: ParametersOf<Acts>) => sql`
  audited as (
    insert into audit_inbox (workspace_id, entry) select workspace_id, entry from act order by position
  ), noted as (
    insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id,
      about_user_id, erased_message, seen_by_group_ids)
    select workspace_id, ${by.user_id}, ${by.user_name}, act, params, verb, message, subject_type, subject_id,
      about_user_id, erased_message, seen_by_group_ids
    from act order by position
    returning created_at
  )`

const actRows = statement<Acts, { created_at: string }>(
  (by) => sql`
    with act as materialized (select a.* from ${actsIn(by)}), ${recordActs(by)} select created_at from noted`,
)

async function insertActs(db: Db, actor: Doer, acts: (Activity & { workspace_id: number })[]): Promise<string> {
  return (await actRows(db, actsOf(actor, acts))).at(-1)?.created_at ?? ''
}

/** Acts about rows that a statement writes, prepared for `recordEach`. */
export type Recordings = Acts

export const recordingsOf = ({ actor }: Workspace, acts: readonly Activity[]): Recordings =>
  actsOf(
    actor,
    acts.map((act) => ({ ...act, subject_id: null })),
  )

/** Parts of a statement like those of `recordOf`, which record those acts whose subject `(workspace_id, act, id)` exists. */
export const recordEach = (by: ParametersOf<Recordings>): RawBuilder<unknown> => sql`
  act as materialized (
    select a.position, s.workspace_id, a.act, a.params, a.verb, a.message, a.subject_type, s.id as subject_id,
      a.about_user_id, a.erased_message, a.seen_by_group_ids,
      replace(a.entry, '"subject_id":null', concat('"subject_id":', s.id)) as entry
    from subject s join ${actsIn(by)} on a.act = s.act
  ), ${recordActs(by)}`

/** An act about the row that a statement writes, prepared for `recordOf`. */
export interface Recording {
  user_id: number
  user_name: string
  act: string
  params: string
  verb: string
  message: string
  subject_type: string | null
  entry: string
}

export const recordingOf = ({ actor }: Workspace, act: Activity): Recording => ({
  user_id: actor.id,
  user_name: nameOf(actor),
  act: act.act,
  params: JSON.stringify(wellFormed(act.params)),
  verb: verbOf(act.act),
  message: sentenceOf(act),
  subject_type: subjectOf(act.act),
  entry: entryOf(actor, { ...act, subject_id: null }),
})

/**
 * Parts of a statement that record an act about each row of its part `subject` (`workspace_id`, `id`). `changes` is the
 * column of the changes that only the statement knows. The placeholders are found nowhere else in the entry: in names,
 * JSON has a backslash before each quote.
 */
export function recordOf(act: ParametersOf<Recording>, changes?: RawBuilder<unknown>): RawBuilder<unknown> {
  const named = sql`replace(${act.entry}, '"subject_id":null', concat('"subject_id":', id))`
  const entry = changes ? sql`replace(${named}, '"changes":null', concat('"changes":', ${changes}))` : named
  return sql`
    audited as (
      insert into audit_inbox (workspace_id, entry) select workspace_id, ${entry} from subject
    ), noted as (
      insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id)
      select workspace_id, ${act.user_id}, ${act.user_name}, ${act.act}, ${act.params}::jsonb, ${act.verb},
        ${act.message}, ${act.subject_type}, id from subject
      returning created_at
    )`
}

/** PostgreSQL's jsonb rejects unpaired surrogates. */
const wellFormed = (params: Params = {}): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toWellFormed()]))

/** Columns of a query for `recordFound`: an act whose sentence has one parameter, with the SQL of its value. */
export function foundAct(
  act: 'file_downloaded' | 'folder_downloaded',
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { verb, subject, sentence } = FEED_ACTS[act]
  const name = sentence.slice(sentence.indexOf('{') + 1, -1)
  return sql`${act} as act, ${verb} as verb, ${subject} as subject_type, jsonb_build_object(${name}::text, ${value}) as params,
    replace(${sentence}, ${`{${name}}`}, ${value}) as message`
}

/**
 * Records acts that a query finds, which may be many. Its rows have the columns of `foundAct`, `subject_id` and `position`,
 * which sets their order.
 */
export async function recordFound(db: Db, { id, actor }: Workspace, acts: RawBuilder<unknown>) {
  const entry = entryOf(actor, { act: 'file_downloaded', params: { title: '' }, subject_id: null })
  await sql`
    with act as materialized (${acts}), audited as (
      insert into audit_inbox (workspace_id, entry)
      select ${id}::int, (${entry}::jsonb || jsonb_build_object('verb', act.verb,
        'message', act.message, 'subject_type', act.subject_type, 'subject_id', act.subject_id))::text
      from act order by act.position
    )
    insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id)
    select ${id}, ${actor.id}, ${nameOf(actor)}, act.act, act.params, act.verb, act.message, act.subject_type,
      act.subject_id
    from act order by act.position`.execute(db)
}

export interface ActivityFilters {
  user_id?: number | undefined
  verb?: string | undefined
  subject_type?: string | undefined
  subject_id?: number | undefined
  /** First and last day, inclusive, UTC. */
  from?: string | undefined
  to?: string | undefined
}

interface ActivityRow {
  id: number
  user_id: number
  user_name: string
  workspace_id: number
  verb: string
  message: string
  subject_type: string | null
  subject_id: number | null
  created_at: string
  /** Null in rows from before acts were stored, and for a name that this version does not know. */
  act: string | null
  params: Params | null
}

type Event = Omit<ActivityRow, 'params'> & { params: Params }

/** Replaces a refused opening for a reader who cannot view the file. */
const HIDDEN = { act: 'hidden_file_refused' } as const

/**
 * Returns a page of activities, newest first, and the number of all matches. Only admins get the acts of other users.
 * @throws ApiError 404 for a user whom the caller cannot ask about
 */
export async function listActivities(
  db: Db,
  workspace: Workspace,
  filters: ActivityFilters,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ events: Event[]; total_items: number }> {
  const user_id = workspace.admin ? filters.user_id : workspace.actor.id
  if (filters.user_id !== undefined && filters.user_id !== user_id) throw userNotFound()
  const found = await findPage(db, workspace, { ...filters, user_id }, { page, per_page })
  if (found.total_items === 0 && filters.user_id !== undefined) await requireKnownUser(db, workspace, filters.user_id)
  return found
}

const userNotFound = () => refusal('user_not_found')

/** A former member is known by their activities. */
async function requireKnownUser(db: Db, { id }: Workspace, userId: number): Promise<void> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from workspace_memberships where workspace_id = ${id} and user_id = ${userId})
      or exists (select from activities where workspace_id = ${id} and user_id = ${userId}) as known`.execute(db)
  if (!rows[0]?.known) throw userNotFound()
}

async function findPage(
  db: Db,
  workspace: Workspace,
  matching: ActivityFilters,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ events: Event[]; total_items: number }> {
  const offset = (page - 1) * per_page
  const list = (one: Db) => selectPage(one, workspace, matching, per_page, offset)
  if (page === 1) {
    const [events, total_items] = await together(db, (one) =>
      Promise.all([list(one), countMatching(db, workspace, matching, one)]),
    )
    return { events, total_items }
  }
  const total_items = await countMatching(db, workspace, matching)
  return { events: offset < total_items ? await list(db) : [], total_items }
}

async function selectPage(
  db: Db,
  workspace: Workspace,
  filters: ActivityFilters,
  limit: number,
  offset: number,
): Promise<Event[]> {
  const hidden = isHidden(workspace)
  const { rows } = await sql<ActivityRow>`
    select id, user_id, user_name, workspace_id, verb, case when ${hidden} then ${sentenceOf(HIDDEN)} else message end as message,
      subject_type, case when ${hidden} then null else subject_id end as subject_id, created_at,
      case when ${hidden} then ${HIDDEN.act} else act end as act, case when ${hidden} then '{}' else params end as params
    from activities where ${conditionOf(workspace, filters)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => ({ ...row, ...toldIn(row) }))
}

const toldIn = (row: ActivityRow) => (row.act === null ? readAct(row) : { act: row.act, params: row.params ?? {} })

async function countMatching(db: Db, workspace: Workspace, filters: ActivityFilters, connection = db): Promise<number> {
  const { user_id, verb, subject_type, subject_id, from, to } = filters
  const isWhole = !verb && !subject_type && subject_id === undefined && !from && !to
  if (isWhole) return countActivities(db, workspace.id, user_id, connection)
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from activities where ${conditionOf(workspace, filters)}`.execute(connection)
  return rows[0]?.total ?? 0
}

export function conditionOf(workspace: Workspace, filters: ActivityFilters): RawBuilder<unknown> {
  const conditions = [sql`workspace_id = ${workspace.id}`]
  if (filters.user_id !== undefined) conditions.push(sql`user_id = ${filters.user_id}`)
  if (filters.verb) conditions.push(sql`verb = ${filters.verb}`)
  if (filters.subject_type) conditions.push(sql`subject_type = ${filters.subject_type}`)
  if (filters.subject_id !== undefined) {
    conditions.push(sql`subject_id = ${filters.subject_id}`, sql`not (${isHidden(workspace)})`)
  }
  if (filters.from) conditions.push(sql`created_at >= ${filters.from}::timestamptz`)
  if (filters.to) conditions.push(sql`created_at < ${filters.to}::timestamptz + interval '1 day'`)
  return sql.join(conditions, sql` and `)
}

/**
 * Whether an activity names a file that the reader cannot view. Only a refused opening of a sealed copy does, because
 * its holder may never have seen the file (decisions, section 8).
 */
function isHidden(workspace: Workspace): RawBuilder<unknown> {
  if (workspace.admin) return sql`false`
  return sql`verb = 'refused' and subject_type = 'Asset' and not exists (
    select from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
    where f.workspace_id = ${workspace.id} and f.id = activities.subject_id and f.deleted_at is null
      and d.deleted_at is null and ${viewable(workspace, sql`d.id_path`)})`
}
