import { sql } from 'kysely'
import type { Frequency, Language } from '../../../contract/endpoints/deal/notifications.ts'
import { accessEndOf, grantsAnywhere, nearestOnSteps, standingIn, termsAwait } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { CHANGED_ACCESS, CHANGED_FILE, changesEnd, isNewAccess } from '../news/changes.ts'
import type { DueMember } from './due-members.ts'
import { type QuestionNews, questionNewsFor } from './question-news.ts'
import { MOST_ACTS } from './visible-changes.ts'

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
  { until, today }: { until: Date; today: string },
): Promise<MemberNews[]> {
  const id = sql`${workspaceId}::int`
  const between = sql`a.workspace_id = ${id} and a.created_at <= ${until.toISOString()}::timestamptz
    and a.created_at > (select min(since) from person)`
  const { rows } = await sql<MemberNews>`
    with person as materialized (
      select p.since, p.questions_since, u.id as user_id, u.email, u.first_name,
        u.language, u.time_zone, w.name as workspace_name, m.id as membership_id, m.organization_id,
        coalesce(m.mail_frequency, u.mail_frequency) as frequency,
        standing.admin, standing.group_ids
      from unnest(${members.map(({ user_id }) => user_id)}::int[], ${members.map(({ since }) => since)}::timestamptz[],
        ${members.map((each) => each.questions_since)}::timestamptz[]) p (user_id, since, questions_since)
      join workspace_memberships m on m.workspace_id = ${id} and m.user_id = p.user_id
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      join teams t on t.organization_id = w.organization_id and t.id = w.team_id and not t.suppress_emails
      join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.deleted_at is null
      cross join lateral ${standingIn(sql`m.workspace_id`, sql`m.user_id`, today)} standing
      where not ${termsAwait}
    ), change as materialized (
      select a.subject_id, a.user_id, a.created_at from activities a where ${between} and ${CHANGED_FILE}
      order by a.created_at desc, a.id desc limit ${MOST_ACTS}
    ), file as materialized (
      select f.id, f.folder_id, f.title, f.version from (select distinct subject_id from change) c
      cross join lateral (select * from files f where f.workspace_id = ${id} and f.id = c.subject_id
        and f.deleted_at is null and not f.held offset 0) f
    ), place as materialized (
      select d.id, d.name, d.id_path from folders d
      where d.workspace_id = ${id} and d.deleted_at is null and d.id = any(array(select folder_id from file))
    ), step as materialized (
      select d.id, s.on_path, s.depth from place d cross join unnest(d.id_path) with ordinality s (on_path, depth)
    ), open as materialized (
      select nearest.id, nearest.group_id from ${nearestOnSteps(
        workspaceId,
        sql`array(select distinct unnest(group_ids) from person where not admin)`,
        sql`step`,
        sql`array(select on_path from step)`,
      )} nearest where nearest.view
    ), reach as materialized (
      select distinct p.user_id, open.id from person p join open on open.group_id = any(p.group_ids) where not p.admin
      union all select p.user_id, place.id from person p cross join place where p.admin
    ), fresh as materialized (
      select p.user_id, c.subject_id, max(c.created_at) as at
      from person p join change c on c.user_id <> p.user_id and c.created_at > p.since group by 1, 2
    ), ranked as (
      select f.user_id, f.at, f.id, f.folder_id, f.title, f.version, d.name as folder_name,
        row_number() over (partition by f.user_id order by f.at desc, f.id desc) as rank,
        count(*) over (partition by f.user_id)::int as total
      from (
        select fresh.user_id, fresh.at, f.* from fresh full join file f on f.id = fresh.subject_id
        where coalesce(fresh.user_id, 0) <> 0 and coalesce(f.id, 0) <> 0 offset 0
      ) f full join (
        select reach.user_id as reader_id, d.id as place_id, d.name from reach join place d on d.id = reach.id offset 0
      ) d on d.reader_id = f.user_id and d.place_id = f.folder_id
      where coalesce(f.user_id, 0) <> 0 and coalesce(d.reader_id, 0) <> 0
    ), listed as materialized (
      select user_id, max(total) as total, json_agg(json_build_object('id', id, 'title', title, 'folder_id', folder_id,
        'folder_name', folder_name, 'version', version, 'at', at) order by rank) as files
      from ranked where rank <= ${NAMED_FILES} group by user_id
    ), changed_access as materialized (
      select a.subject_id, a.user_id, a.created_at, case when ${changesEnd} then 'end' else 'granted' end as change
      from activities a where ${between} and ${CHANGED_ACCESS} and ${isNewAccess}
      order by a.created_at desc, a.id desc limit ${MOST_ACTS}
    ), access as materialized (
      select p.user_id, array_agg(distinct c.change) as changes
      from person p cross join lateral (
        select change from changed_access c
        join group_memberships gm on gm.workspace_id = ${id} and gm.group_id = c.subject_id and gm.user_id = p.user_id
          and gm.created_at < c.created_at
        where c.subject_id = any(p.group_ids) and c.user_id <> p.user_id and c.created_at > p.since
        union all select 'group' from group_memberships gm join groups g on g.workspace_id = gm.workspace_id
          and g.id = gm.group_id and g.kind = 'custom'
        where gm.workspace_id = ${id} and gm.user_id = p.user_id and gm.group_id = any(p.group_ids) and gm.created_at > p.since
      ) c
      where not p.admin and exists (select from groups g where g.workspace_id = ${id} and g.id = any(p.group_ids)
        and ${grantsAnywhere('g', 'view')})
      group by p.user_id
    ), question as materialized (
      select person.user_id, q.*, row_number() over (partition by person.user_id order by q.at desc, q.id) as rank,
        count(*) over (partition by person.user_id)::int as total
      from person cross join lateral ${questionNewsFor(workspaceId, READER)} q where q.at <= ${until.toISOString()}::timestamptz
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
    from person p left join listed l on l.user_id = p.user_id left join access on access.user_id = p.user_id
    left join told on told.user_id = p.user_id
    where l.total > 0 or told.total > 0 or access.changes is not null`.execute(db)
  return rows
}
