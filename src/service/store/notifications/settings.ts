import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Frequency, Language } from '../../../contract/endpoints/deal/notifications.ts'
import type { AdministeredOrganization, AdministeredWorkspace, Organization, Workspace } from '../../access/scopes.ts'
import { isWorkspaceAdmin, termsAwaitOn } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Subscription } from '../../mail/unsubscribe-token.ts'

/** Whether the member `m` wants the weekly report. */
const wantsReport = sql<boolean>`exists (
  select from weekly_reports r where r.workspace_id = m.workspace_id and r.user_id = m.user_id)`

type Settings = Reply<Api['notifications']['get']>

export async function getSettings(db: Db, { id, actor }: Organization): Promise<Settings> {
  const { rows } = await sql<Settings>`
    select u.mail_frequency as frequency, u.language, u.mail_refused_at is not null as mail_refused, coalesce((
      select json_agg(json_build_object('workspace_id', w.id, 'workspace_name', w.name, 'frequency', m.mail_frequency,
        'suppressed', t.suppress_emails, 'weekly_report', case when ${isWorkspaceAdmin(sql`w.id`, sql`m.user_id`)}
          then ${wantsReport} end) order by w.name, w.id)
      from workspace_memberships m
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      join teams t on t.organization_id = w.organization_id and t.id = w.team_id
      where m.organization_id = u.organization_id and m.user_id = u.id and not ${termsAwaitOn(todayOf(actor))}), '[]') as workspaces
    from users u where u.organization_id = ${id} and u.id = ${actor.id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

interface Choice {
  frequency?: Frequency | undefined
  language?: Language | undefined
}

/** What is new from now on is mailed where nothing was mailed before. @returns the former choice */
export async function updateSettings(db: Db, { id, actor }: Organization, { frequency, language }: Choice) {
  const { rows } = await sql<Required<Choice>>`
    with former as (
      select u.id, u.mail_frequency, u.language from users u where u.organization_id = ${id} and u.id = ${actor.id} for update
    ), begun as (
      update workspace_memberships m set mailed_until = ${actor.now}, questions_from = ${actor.now} from former
      where m.organization_id = ${id} and m.user_id = former.id and m.mail_frequency is null
        and former.mail_frequency = 'off' and ${frequency ?? null}::text <> 'off'
    )
    update users u set mail_frequency = coalesce(${frequency ?? null}, u.mail_frequency),
      language = coalesce(${language ?? null}, u.language)
    from former where u.organization_id = ${id} and u.id = former.id
    returning former.mail_frequency as frequency, former.language`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** @returns the former choice */
export async function setFrequency(
  db: Db,
  { id, actor }: Pick<Workspace, 'id' | 'actor'>,
  frequency: Frequency | null,
): Promise<Frequency | null> {
  const { rows } = await sql<{ frequency: Frequency | null }>`
    with former as (
      select m.user_id, m.mail_frequency, coalesce(m.mail_frequency, u.mail_frequency) as effective
      from workspace_memberships m join users u on u.organization_id = m.organization_id and u.id = m.user_id
      where m.workspace_id = ${id} and m.user_id = ${actor.id} for no key update of m
    )
    update workspace_memberships m set mail_frequency = ${frequency},
      mailed_until = case when former.effective = 'off' then ${actor.now} else m.mailed_until end,
      questions_from = case when former.effective = 'off' then ${actor.now} else m.questions_from end
    from former where m.workspace_id = ${id} and m.user_id = former.user_id
    returning former.mail_frequency as frequency`.execute(db)
  return rows[0]?.frequency ?? null
}

/** The first report comes with the end of the present week. @returns the former choice */
export async function setWeeklyReport(
  db: Db,
  { id, organization_id, actor }: Pick<AdministeredWorkspace, 'id' | 'organization_id' | 'actor'>,
  wanted: boolean,
): Promise<boolean> {
  const member = sql`workspace_id = ${id} and user_id = ${actor.id}`
  const { rows } = wanted
    ? await sql`
        insert into weekly_reports (workspace_id, user_id, organization_id, reported_until)
        values (${id}, ${actor.id}, ${organization_id}, ${actor.now})
        on conflict (workspace_id, user_id) do nothing returning 1`.execute(db)
    : await sql`delete from weekly_reports where ${member} returning 1`.execute(db)
  const hasChanged = rows.length > 0
  return hasChanged ? !wanted : wanted
}

type Subscriber = NonNullable<Reply<Api['notifications']['showUnsubscribe']>['unsubscribing']> & {
  user: { id: number; email: string; first_name: string; last_name: string; organization_id: number }
}

/** The member whom the link of a mail names; undefined once they have left. */
export async function findSubscriber(
  db: Db,
  { id }: AdministeredOrganization,
  { workspace_id, user_id, membership_id, mails }: Subscription,
): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    select w.name as workspace_name, u.language, ${mails}::text as mails, case when ${mails}::text = 'news'
        then coalesce(m.mail_frequency, u.mail_frequency) when ${wantsReport} then 'weekly' else 'off' end as frequency,
      json_build_object('id', u.id, 'email', u.email, 'first_name', u.first_name, 'last_name', u.last_name,
        'organization_id', u.organization_id) as user
    from workspace_memberships m join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
    join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.deleted_at is null
    where m.workspace_id = ${workspace_id} and m.user_id = ${user_id} and m.id = ${membership_id}
      and m.organization_id = ${id}`.execute(db)
  return rows[0]
}
