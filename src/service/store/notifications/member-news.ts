import { sql } from 'kysely'
import type { Frequency, Language } from '../../../contract/endpoints/deal/notifications.ts'
import { accessEndOf, standingIn, termsAwait } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import type { DueMember } from './due-members.ts'
import { type QuestionNews, questionNewsFor } from './question-news.ts'
import { accessOf, partsOfChanges } from './visible-changes.ts'

/** Files and questions that a mail names. */
export const NAMED_FILES = 20
export const NAMED_QUESTIONS = 20

export const ACCESS_CHANGES = ['group', 'granted', 'end'] as const
export type AccessChange = (typeof ACCESS_CHANGES)[number]

/** A row of the part `person`, without a shorter name that the fragments have too. */
const READER = {
  user_id: sql`person.user_id`,
  admin: sql`person.admin`,
  group_ids: sql`person.group_ids`,
  since: sql`person.questions_since`,
}

export interface MemberNews {
  user_id: number
  email: string
  first_name: string
  language: Language
  time_zone: string
  frequency: Frequency
  workspace_name: string
  membership_id: number
  /** The newest of the files that others added or changed, and that the member may view. */
  files: { title: string; folder_name: string; folder_id: number; id: number; version: number; at: string }[]
  files_count: number
  /** The newest of the questions that are news to the member, and that they may read. */
  questions: { id: string; subject: string; news: QuestionNews; number: number | null; group_name: string | null }[]
  questions_count: number
  access: AccessChange[]
  access_ends_at: string | null
}

/**
 * Reads what a mail tells each of some members, by the rights of this moment. Members without news, and those who may
 * get none, are missing. Rights that were taken back are no news: they would tell that there is something to hide.
 */
export async function readNews(
  db: Db,
  workspaceId: number,
  members: readonly DueMember[],
  today: string,
): Promise<MemberNews[]> {
  const id = sql`${workspaceId}::int`
  const { rows } = await sql<MemberNews>`
    with person as materialized (
      select p.since, p.until, p.questions_since, u.id as user_id, u.email, u.first_name,
        u.language, u.time_zone, w.name as workspace_name, m.id as membership_id, m.organization_id,
        coalesce(m.mail_frequency, u.mail_frequency) as frequency,
        standing.admin, standing.group_ids
      from unnest(${members.map(({ user_id }) => user_id)}::int[], ${members.map(({ since }) => since)}::timestamptz[],
        ${members.map(({ until }) => until)}::timestamptz[], ${members.map((each) => each.questions_since)}::timestamptz[])
        p (user_id, since, until, questions_since)
      join workspace_memberships m on m.workspace_id = ${id} and m.user_id = p.user_id
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      join teams t on t.organization_id = w.organization_id and t.id = w.team_id and not t.suppress_emails
      join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.deleted_at is null
      cross join lateral ${standingIn(sql`m.workspace_id`, sql`m.user_id`, today)} standing
      where not ${termsAwait}
    ), ${partsOfChanges(workspaceId)}, ranked as (
      select reader, newest as at, id, row_number() over (partition by reader order by newest desc, id desc) as rank,
        count(*) over (partition by reader)::int as total
      from fresh
    ), named as materialized (select * from ranked where rank <= ${NAMED_FILES}), listed as materialized (
      select n.reader, max(n.total) as total, json_agg(json_build_object('id', f.id, 'title', f.title,
        'folder_id', f.folder_id, 'folder_name', f.folder_name, 'version', f.version, 'at', n.at) order by n.rank) as files
      from named n cross join lateral (
        select f.id, f.title, f.folder_id, f.version, d.name as folder_name from files f
        join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
        where f.workspace_id = ${id} and f.id = n.id offset 0
      ) f group by n.reader
    ), access as materialized (
      select p.user_id, array_agg(distinct own.change) as changes
      from person p cross join lateral ${accessOf(workspaceId)} own group by p.user_id
    ), question as materialized (
      select person.user_id, q.*, row_number() over (partition by person.user_id order by q.at desc, q.id) as rank,
        count(*) over (partition by person.user_id)::int as total
      from person cross join lateral ${questionNewsFor(workspaceId, READER)} q where q.at <= person.until
    ), told as materialized (
      select user_id, max(total) as total, json_agg(json_build_object('id', id, 'subject', subject, 'news', news,
        'number', number, 'group_name', group_name) order by rank) as questions
      from question where rank <= ${NAMED_QUESTIONS} group by user_id
    )
    select p.user_id, p.email, p.first_name, p.language, p.time_zone, p.frequency, p.workspace_name, p.membership_id,
      coalesce(l.files, '[]') as files, coalesce(l.total, 0) as files_count,
      coalesce(told.questions, '[]') as questions, coalesce(told.total, 0) as questions_count,
      coalesce(access.changes, '{}') as access,
      case when 'end' = any(access.changes) then ${accessEndOf(id, sql`p.user_id`)} end as access_ends_at
    from person p join as_reader r on r.user_id = p.user_id left join listed l on l.reader = r.reader
    left join access on access.user_id = p.user_id
    left join told on told.user_id = p.user_id
    where l.total > 0 or told.total > 0 or access.changes is not null`.execute(db)
  return rows
}
