import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { expertBar } from '../../access/experts.ts'
import type { Workspace } from '../../access/scopes.ts'
import { hasRight } from '../../access/sql.ts'
import { visibleQuestions } from '../../access/visible-questions.ts'
import { todayOf } from '../../auth/actor.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { noteQuestionView } from '../news/unread.ts'
import { filesOf, nameIn, personOf, type QuestionRow, questionColumns, toQuestion } from './question-rows.ts'

type Thread = Reply<Api['questions']['get']>
type Work = NonNullable<Thread['work']>
type Entry = Work['entries'][number]

type Row = QuestionRow & Pick<Thread, 'text' | 'asked_by' | 'answer' | 'files'>

/** The same as `getThread`, and notes that the caller has read it. */
export const openThread = (db: Db, workspace: Workspace, id: string): Promise<Thread> =>
  getThread(db, workspace, id, () => noteQuestionView(db, workspace, id))

/**
 * `whenFound` runs beside the last reads.
 * @throws ApiError 404 for a question that the caller may not see now
 */
export async function getThread(
  db: Db,
  workspace: Workspace,
  id: string,
  whenFound?: () => Promise<void>,
): Promise<Thread> {
  const { admin, organization_id } = workspace
  const { rows } = await sql<Row>`
    select ${questionColumns(workspace)}, told.text, told.answer, ${documentsOf(workspace)} as files,
      case when (${admin} or q.own) and q.group_number > 0 then ${personOf(organization_id, sql`q.asked_by`)} end as asked_by
    from ${visibleQuestions(workspace, { id })} q
    join questions told on told.workspace_id = q.workspace_id and told.id = q.id`.execute(db)
  const [row] = rows
  if (!row) throw notFound()
  const { text, asked_by, answer, files } = row
  const [work] = await Promise.all([admin ? getWork(db, workspace, id) : null, whenFound?.()])
  return { ...toQuestion(row), text, asked_by, answer, files, work }
}

/** Documents of the answer that the caller may view: before it is given, only admins know them. */
const documentsOf = (workspace: Workspace) =>
  sql`case when ${workspace.admin} or q.status = 'answered' then ${filesOf(workspace, sql`q`)} else '[]' end`

async function getWork(db: Db, workspace: Workspace, id: string): Promise<Work> {
  const { organization_id, actor } = workspace
  const [work, entries, blind_groups] = await Promise.all([
    sql<Omit<Work, 'entries' | 'blind_groups'>>`
      select q.group_number, ${personOf(organization_id, sql`q.approver_id`)} as approver, q.draft,
        ${personOf(organization_id, sql`q.drafted_by`)} as drafted_by, q.drafted_at, q.reach,
        array(select r.group_id from question_receivers r where r.workspace_id = q.workspace_id
          and r.question_id = q.id and q.reach = 'groups' order by r.group_id) as group_ids,
        coalesce((select json_agg(json_build_object('expert', ${personOf(organization_id, sql`p.user_id`)},
            'asked_at', p.asked_at, 'replied_at', p.replied_at, 'bar', ${expertBar(workspace.id, sql`p.user_id`, todayOf(actor))})
            order by p.asked_at, p.user_id)
          from question_passes p where p.workspace_id = q.workspace_id and p.question_id = q.id), '[]') as passes
      from questions q where q.workspace_id = ${workspace.id} and q.id = ${id}::uuid`.execute(db),
    sql<Entry>`
      select e.id, e.kind, e.user_id, coalesce(${nameIn('u')}, '') as user_name, e.text, e.created_at,
        case when e.expert_id is not null then ${personOf(organization_id, sql`e.expert_id`)} end as expert
      from question_entries e left join users u on u.organization_id = ${organization_id} and u.id = e.user_id
      where e.workspace_id = ${workspace.id} and e.question_id = ${id}::uuid order by e.id desc limit 500`.execute(db),
    listBlindGroups(db, workspace, id),
  ])
  const [facts] = work.rows
  if (!facts) throw notFound()
  return { ...facts, entries: entries.rows.toReversed(), blind_groups }
}

/** Groups to which an answer could be given, but which cannot view the place of the question or a document of the answer. Only admins learn of draft groups. */
async function listBlindGroups(
  db: Db,
  { id: workspaceId, admin }: Workspace,
  id: string,
): Promise<Work['blind_groups']> {
  const seen = (
    folderId: RawBuilder<unknown>,
  ) => sql`exists (select from folders d where d.workspace_id = g.workspace_id
    and d.id = ${folderId} and d.deleted_at is null
    and ${hasRight({ workspaceId: sql`g.workspace_id`, groupId: sql`g.id`, flag: 'view', idPath: sql`d.id_path` })})`
  const { rows } = await sql<Work['blind_groups'][number]>`
    select g.id as group_id, g.name, blind.place, blind.files from groups g
    join questions q on q.workspace_id = g.workspace_id and q.id = ${id}::uuid
    left join files f on f.workspace_id = q.workspace_id and f.id = q.file_id and f.deleted_at is null
    cross join lateral (
      select (q.file_id is not null or q.folder_id is not null) and not ${seen(sql`coalesce(f.folder_id, q.folder_id)`)} as place,
        exists (select from question_files a
          join files r on r.workspace_id = a.workspace_id and r.id = a.file_id and r.deleted_at is null
          where a.workspace_id = q.workspace_id and a.question_id = q.id and not ${seen(sql`r.folder_id`)}) as files
    ) blind
    where g.workspace_id = ${workspaceId} and g.kind = 'custom' and (${admin} or not g.is_draft)
      and (blind.place or blind.files)
    order by g.id`.execute(db)
  return rows
}
