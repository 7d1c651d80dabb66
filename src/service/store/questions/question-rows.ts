import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { expertBar, isWaiting } from '../../access/experts.ts'
import { viewable } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { todayOf } from '../../auth/actor.ts'

export type Question = Reply<Api['questions']['list']>['questions'][number]
export type Person = NonNullable<Question['assignee']>

export interface QuestionRow extends Omit<Question, 'place'> {
  file_id: number | null
  at_folder_id: number | null
  place_title: string | null
  page_number: number | null
  place_gone: boolean
}

/** Columns of `visibleQuestions`, named `q`, with what only admins or the asking group may know. */
export function questionColumns(workspace: Workspace): RawBuilder<unknown> {
  const { admin, organization_id } = workspace
  const mine = sql`${admin} or q.own`
  return sql`q.id, case when ${admin} then q.number when q.own then q.group_number end as number,
    q.own and not ${admin} as own, q.shown_status as status, q.subject, q.category, q.shown_faq as faq, q.file_id, q.at_folder_id, q.page_number,
    case when q.file_id is null then q.folder_name else coalesce(q.file_title, '') end as place_title, q.place_gone,
    case when (${mine}) and q.group_number > 0 then json_build_object('id', q.group_id, 'name', coalesce((select g.name from groups g
      where g.workspace_id = q.workspace_id and g.id = q.group_id), q.group_name)) end as group,
    case when ${mine} then q.priority end as priority, case when ${mine} then q.asked_at end as asked_at,
    case when q.status = 'answered' then q.answered_at end as answered_at,
    case when ${admin} then ${personOf(organization_id, sql`q.assignee_id`)} end as assignee,
    case when ${admin} then q.due_on::text end as due_on, ${admin ? awaitedExperts(workspace) : sql`'[]'::json`} as experts`
}

/** The experts whom the question `q` waits for. */
const awaitedExperts = ({ organization_id, actor }: Workspace) => sql`coalesce((
  select json_agg(${personOf(organization_id, sql`p.user_id`)} order by p.user_id) from question_passes p
  where p.workspace_id = q.workspace_id and p.question_id = q.id and ${isWaiting}
    and (${expertBar(sql`p.workspace_id`, sql`p.user_id`, todayOf(actor))}) is null), '[]')`

/** Documents of the draft or answer of a question that the reader may view. */
export const filesOf = (workspace: Workspace, question: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('file_id', f.id, 'folder_id', f.folder_id, 'title', f.title,
      'infected', f.infected) order by f.title, f.id)
  from question_files a join files f on f.workspace_id = a.workspace_id and f.id = a.file_id and f.deleted_at is null
  join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id and d.deleted_at is null
  where a.workspace_id = ${workspace.id} and a.question_id = ${question}.id and ${viewable(workspace, sql`d.id_path`)}), '[]')`

/** A person by their name, or by their address while they have none. */
export const personOf = (organizationId: number, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('id', u.id, 'name', ${nameIn('u')}) from users u
  where u.organization_id = ${organizationId} and u.id = ${id})`

export const nameIn = (user: string): RawBuilder<string> => {
  const u = sql.id(user)
  return sql`coalesce(nullif(trim(${u}.first_name || ' ' || ${u}.last_name), ''), ${u}.email)`
}

export function toQuestion({ id, number, own, status, subject, category, faq, ...row }: QuestionRow): Question {
  const { group, priority, asked_at, answered_at, assignee, due_on, experts } = row
  const facts = {
    id,
    number,
    own,
    status,
    subject,
    category,
    faq,
    group,
    priority,
    asked_at,
    answered_at,
    assignee,
    due_on,
    experts,
  }
  return { ...facts, place: placeOf(row) }
}

export type PlaceRow = Pick<QuestionRow, 'file_id' | 'at_folder_id' | 'place_title' | 'page_number' | 'place_gone'>

export function placeOf({ file_id, at_folder_id, place_title, page_number, place_gone }: PlaceRow): Question['place'] {
  if (file_id === null && at_folder_id === null) return null
  return { file_id, folder_id: at_folder_id ?? 0, title: place_title ?? '', page_number, deleted: place_gone }
}
