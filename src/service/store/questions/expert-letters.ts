import { sql } from 'kysely'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import { expertBar, isWaiting } from '../../access/experts.ts'
import { termsAwaitOn } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import type { JobPayloads } from '../../jobs/queue.ts'
import { findLook, type RoomLook } from '../branding/sender.ts'
import { nameIn } from './question-rows.ts'

export interface ExpertLetter {
  email: string
  first_name: string
  language: Language
  workspace_name: string
  terms_await: boolean
  look: RoomLook | undefined
  questions: { id: string; subject: string; due_on: string | null; asked_by: string }[]
}

/**
 * Reads what a mail tells an expert of questions that wait for them now, and are due if it is to remind. Undefined if none
 * does, and for experts whom something bars, who want no mails, or whose team sends none.
 */
export async function readLetter(
  db: Db,
  { workspace_id, user_id, questions, reason }: JobPayloads['expert_mail'],
  today: string,
): Promise<ExpertLetter | undefined> {
  const { rows } = await sql<Omit<ExpertLetter, 'look'>>`
    select u.email, u.first_name, u.language, w.name as workspace_name, ${termsAwaitOn(today)} as terms_await, asked.questions
    from workspace_memberships m
    join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
    join teams t on t.organization_id = w.organization_id and t.id = w.team_id and not t.suppress_emails
    join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.deleted_at is null
    cross join lateral (
      select json_agg(json_build_object('id', q.id, 'subject', q.subject, 'due_on', q.due_on,
        'asked_by', (select ${nameIn('asker')} from users asker where asker.organization_id = w.organization_id
          and asker.id = p.asked_by)) order by q.due_on, p.asked_at, q.id) as questions
      from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as told (id uuid, asked_at timestamptz)
      join question_passes p on p.workspace_id = m.workspace_id and p.user_id = m.user_id and p.question_id = told.id
        and p.asked_at = told.asked_at
      join questions q on q.workspace_id = p.workspace_id and q.id = p.question_id and ${isWaiting}
      where ${reason === 'passed'} or q.due_on <= ${today}::date + 1
    ) asked
    where m.workspace_id = ${workspace_id} and m.user_id = ${user_id} and asked.questions is not null
      and coalesce(m.mail_frequency, u.mail_frequency) <> 'off'
      and (${expertBar(workspace_id, user_id, today)}) is null`.execute(db)
  const [letter] = rows
  return letter && { ...letter, look: await findLook(db, workspace_id) }
}
