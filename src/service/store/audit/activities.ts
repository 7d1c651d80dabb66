import { type RawBuilder, sql } from 'kysely'
import { FEED_ACTS, type FeedAct, sentenceOf, subjectOf, verbOf } from '../../../contract/acts.ts'
import type { Params } from '../../../contract/sentence.ts'
import type { Workspace } from '../../access/scopes.ts'
import { nameOf } from '../../auth/actor.ts'
import { committing } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { refusal } from '../../base/errors.ts'
import { type About, type Feed, type FeedQuery, readFeed } from './activity-feed.ts'
import { type ActivityFilters, type ActivityPage, type Page, readPage } from './activity-page.ts'
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
  act: 'file_downloaded' | 'folder_downloaded' | 'file_published' | 'file_copied_along',
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
export async function recordFound(db: Db, workspace: Workspace, acts: RawBuilder<unknown>): Promise<void> {
  await sql`
    with act as materialized (${acts}), ${auditFound(workspace)}
    ${insertFound()} select ${foundBy(workspace)} from act order by act.position`.execute(db)
}

/** Records the folders and files of one zip in the same way, folders first, and binds them together. */
export async function recordZip(db: Db, workspace: Workspace, acts: RawBuilder<unknown>): Promise<void> {
  const order = sql`order by subject_type desc, position, subject_id`
  await sql`
    with found as materialized (${acts}), act as materialized (
      select *, row_number() over (${order}) as nth, row_number() over (partition by subject_type ${order}) as nth_of_type
      from found
    ), zip as materialized (
      select clock_timestamp() as at, count(*) filter (where subject_type = 'Folder')::int as folders,
        count(*) filter (where subject_type = 'Asset')::int as files
      from act having count(*) > 0
    ), ${auditFound(workspace)}, head as (
      ${insertFound(sql`, created_at, zip_folders, zip_files`)}
      select ${foundBy(workspace)}, zip.at, zip.folders, zip.files from act cross join zip where act.nth = 1
      returning id
    )
    ${insertFound(sql`, created_at, folded_into, zip_files`)}
    select ${foundBy(workspace)}, zip.at, head.id,
      case when act.subject_type = 'Asset' and act.nth_of_type = 1 then zip.files end
    from act cross join zip cross join head where act.nth > 1 order by act.nth`.execute(db)
}

function auditFound({ id, actor }: Workspace): RawBuilder<unknown> {
  const entry = entryOf(actor, { act: 'file_downloaded', params: { title: '' }, subject_id: null })
  return sql`audited as (
      insert into audit_inbox (workspace_id, entry)
      select ${id}::int, (${entry}::jsonb || jsonb_build_object('verb', act.verb,
        'message', act.message, 'subject_type', act.subject_type, 'subject_id', act.subject_id))::text
      from act order by act.position
    )`
}

const insertFound = (more = sql``) => sql`
    insert into activities (workspace_id, user_id, user_name, act, params, verb, message, subject_type, subject_id${more})`

const foundBy = ({ id, actor }: Workspace) => sql`${id}::int, ${actor.id}::int, ${nameOf(actor)}, act.act, act.params,
      act.verb, act.message, act.subject_type, act.subject_id`

/**
 * Returns a page of activities, newest first, and the number of all matches. Only admins get the acts of other users.
 * @throws ApiError 404 for a user whom the caller cannot ask about
 */
export async function listActivities(
  db: Db,
  workspace: Workspace,
  filters: ActivityFilters,
  page: Page,
): Promise<ActivityPage> {
  const found = await readPage(db, workspace, { ...filters, user_id: doerFor(workspace, filters) }, page)
  if (found.total_items === 0 && filters.user_id !== undefined) await requireKnownUser(db, workspace, filters.user_id)
  return found
}

/** Returns a page of the feed. The same rules hold. */
export async function listFeed(db: Db, workspace: Workspace, asked: FeedQuery, about: About): Promise<Feed> {
  const feed = await readFeed(db, workspace, { ...asked, user_id: doerFor(workspace, asked) }, about)
  if (feed.events.length === 0 && asked.user_id !== undefined) await requireKnownUser(db, workspace, asked.user_id)
  return feed
}

/** The user to whose acts a caller is confined. */
function doerFor({ admin, actor }: Workspace, { user_id }: ActivityFilters): number | undefined {
  const doer = admin ? user_id : actor.id
  if (user_id !== undefined && user_id !== doer) throw userNotFound()
  return doer
}

const userNotFound = () => refusal('user_not_found')

/** A former member is known by their activities. */
async function requireKnownUser(db: Db, { id }: Workspace, userId: number): Promise<void> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from workspace_memberships where workspace_id = ${id} and user_id = ${userId})
      or exists (select from activities where workspace_id = ${id} and user_id = ${userId}) as known`.execute(db)
  if (!rows[0]?.known) throw userNotFound()
}
