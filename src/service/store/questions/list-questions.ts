import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import type { Api } from '../../../contract/index.ts'
import type { Workspace } from '../../access/scopes.ts'
import { isFaq, isOwn, visibleQuestions } from '../../access/visible-questions.ts'
import type { Db } from '../../db/pool.ts'
import { parseQuestion, patternsOf } from '../search/search-question.ts'
import { personOf, type QuestionRow, questionColumns, toQuestion } from './question-rows.ts'
import { awaits } from './whose-turn.ts'

type Filters = Input<Api['questions']['list']>['query']
type Counted = Input<Api['questions']['count']>['query']
type Page = Reply<Api['questions']['list']>
type Counts = Page['counts']

/** @returns a page of the questions that the caller may see, and how many of them are in which status. */
export async function listQuestions(db: Db, workspace: Workspace, filters: Filters): Promise<Page> {
  const { admin } = workspace
  const { status, after, per_page, q, faq } = filters
  const matching = visibleQuestions(workspace, { only: conditionOf(workspace, filters) })
  // Admins read by an index, unless words were looked for, which takes longer than keeping what was found.
  const kept = admin && q === undefined && !faq ? sql`not materialized` : sql`materialized`
  const { rows } = await sql<Listed>`
    with matching as ${kept} (
      select m.*, ${placeIn(workspace, faq)} from ${matching} m where ${q === undefined ? sql`true` : hasWords(q)}
    ),
    last as materialized (select place, below from matching where id = ${after ?? null}::uuid),
    listed as materialized (
      select ${questionColumns(workspace)}, row_number() over (order by q.place, q.below) as position from matching q
      where ${status === undefined ? sql`true` : sql`q.shown_status = ${status}::question_status`}
        and ${after === undefined ? sql`true` : sql`(q.place, q.below) > ((select place from last), (select below from last))`}
      order by q.place, q.below limit ${per_page + 1}
    )
    select ${countsIn(workspace)} as counts, listed.id, listed.number, listed.own, listed.status, listed.subject, listed.category, listed.faq,
      listed.file_id, listed.at_folder_id, listed.page_number, listed.place_title, listed.place_gone, listed.group,
      listed.priority, listed.asked_at, listed.answered_at, listed.assignee, listed.due_on, listed.experts
    from (select) once left join listed on true
    order by listed.position`.execute(db)
  const found = rows.filter((row) => row.id !== null)
  const next = found.length > per_page ? (found[per_page - 1]?.id ?? null) : null
  const { counts } = rows[0] ?? fail()
  return { questions: found.slice(0, per_page).map(toQuestion), counts, next }
}

/** @returns how many of the questions that the caller may see are in which status. */
export async function countQuestions(db: Db, workspace: Workspace, filters: Counted): Promise<Counts> {
  const { q } = filters
  const seen = visibleQuestions(workspace, { only: conditionOf(workspace, filters) })
  const { rows } = await sql<{ counts: Counts }>`
    with matching as ${q === undefined && workspace.admin ? sql`not materialized` : sql`materialized`} (
      select m.* from ${seen} m where ${q === undefined ? sql`true` : hasWords(q)}
    )
    select ${countsIn(workspace)} as counts`.execute(db)
  return (rows[0] ?? fail()).counts
}

/** Where a question stands in its list. Whatever the caller may not see leaves no gap: places are only compared. */
function placeIn({ id, admin }: Workspace, faq: boolean | undefined): RawBuilder<unknown> {
  if (faq) {
    const category = sql`coalesce((select array_position(r.categories, m.category) from question_rooms r
      where r.workspace_id = ${id}), 1000)`
    return sql`case when m.shown_faq then ${category} - 1e12 else -extract(epoch from m.answered_at) end as place,
      case when m.shown_faq then lpad(m.faq::text, 10, '0') else '' end || m.id as below`
  }
  return admin
    ? sql`m.status as place, -m.number as below`
    : sql`-extract(epoch from m.shown_at) as place, m.id as below`
}

type Texts = Reply<Api['questions']['listTexts']>
type TextRow = Omit<Texts['questions'][number], keyof Page['questions'][number]> & { id: string }

/** The same page with texts, which only those of its questions are read for. */
export async function listTexts(db: Db, workspace: Workspace, filters: Filters): Promise<Texts & { counts: Counts }> {
  const { questions, counts, next } = await listQuestions(db, workspace, filters)
  const known = new Set(questions.flatMap(({ id, group }) => (group ? [id] : [])))
  const { rows } = await sql<TextRow>`
    select q.id, q.text, q.answer, case when q.id = any(${[...known]}::uuid[])
      then ${personOf(workspace.organization_id, sql`q.asked_by`)} end as asked_by
    from questions q where q.workspace_id = ${workspace.id} and q.id = any(${questions.map(({ id }) => id)}::uuid[])`.execute(
    db,
  )
  const texts = new Map(rows.map((row) => [row.id, row]))
  return { questions: questions.flatMap((each) => withText(each, texts.get(each.id))), counts, next }
}

const withText = (question: Page['questions'][number], row: TextRow | undefined) =>
  row ? [{ ...question, text: row.text, answer: row.answer, asked_by: row.asked_by }] : []

type Listed = QuestionRow & { counts: Counts }

function fail(): never {
  throw new Error('an aggregate gave no row')
}

const countsIn = ({ admin, actor }: Workspace) => sql`(
  select json_build_object('to_approve', ${inStatus('to_approve')}, 'open', ${inStatus('open')}, 'draft', ${inStatus('draft')},
    'answered', ${inStatus('answered')}, 'closed', ${inStatus('closed')}, 'withdrawn', ${inStatus('withdrawn')},
    'overdue', count(*) filter (where ${admin} and due_on < ${actor.now}::date and status in ('to_approve', 'open', 'draft')))
  from matching)`

const inStatus = (status: QuestionStatus) => sql`count(*) filter (where shown_status = ${sql.lit(status)})`

function conditionOf(workspace: Workspace, { category, group_id, assignee_id, awaits_id, file_id, faq }: Counted) {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (category !== undefined) conditions.push(sql`q.category = ${category}`)
  if (file_id !== undefined) conditions.push(sql`q.file_id = ${file_id}`)
  if (faq) conditions.push(sql`q.status = 'answered'`, sql`(q.reach = 'all' or ${isFaq(workspace)})`)
  if (group_id !== undefined) conditions.push(sql`q.group_id = ${group_id}`)
  if (group_id !== undefined && !workspace.admin) conditions.push(isOwn(workspace))
  if (assignee_id !== undefined) conditions.push(sql`q.assignee_id = ${assignee_id}`)
  if (awaits_id !== undefined) conditions.push(awaits(sql`${awaits_id}::int`))
  return sql.join(conditions, sql` and `)
}

/** Every phrase is in the question `m` or in its answer: drafts and notes are not searched. */
function hasWords(q: string): RawBuilder<unknown> {
  const patterns = patternsOf(parseQuestion(q))
  return sql`(
    select not exists (select from unnest(${patterns}::text[]) as of (pattern)
      where words.asked not like of.pattern and words.answered not like of.pattern)
    from (select concat(' ', w.question_words, ' ') as asked, concat(' ', w.answer_words, ' ') as answered
      from questions w where w.workspace_id = m.workspace_id and w.id = m.id offset 0) words)`
}
