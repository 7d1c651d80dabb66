import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import { MOST_EXPERTS, MOST_REPLIES } from '../../../contract/endpoints/deal/experts.ts'
import type { Api } from '../../../contract/index.ts'
import { type ExpertBar, expertBar } from '../../access/experts.ts'
import type { AdministeredWorkspace, ManagedQuestion, PassedQuestion } from '../../access/scopes.ts'
import { nameOf, todayOf } from '../../auth/actor.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Named } from '../audit/audit.ts'

type Reply = Input<Api['experts']['reply']>['body']
export type Asked = Named & { asked_at: string }

/**
 * The experts to whom a question is to be passed, whom nobody takes off until the end of the transaction.
 * @throws ApiError 404 for users who are no experts, 409 for experts whom something bars
 */
export async function holdExperts(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  userIds: readonly number[],
): Promise<Named[]> {
  const ids = [...new Set(userIds)]
  const { rows } = await sql<Named & { bar: ExpertBar | null }>`
    select u.id, u.first_name, u.last_name, u.email, ${expertBar(id, sql`e.user_id`, todayOf(actor))} as bar
    from question_experts e join users u on u.organization_id = ${organization_id} and u.id = e.user_id
    where e.workspace_id = ${id} and e.user_id = any(${ids}::int[]) order by u.id for key share of e`.execute(db)
  if (rows.length < ids.length) throw notFound()
  const barred = rows.filter(({ bar }) => bar !== null).map(nameOf)
  if (barred.length > 0) throw refusal('experts_barred', { names: barred.join(', ') })
  return rows
}

/**
 * Passes a question to experts; it waits for those who had it before once more.
 * @throws ApiError 409 if more experts would have it than may
 */
export async function passQuestion(
  db: Db,
  { id, workspace }: ManagedQuestion,
  experts: readonly Named[],
  text: string,
): Promise<Asked[]> {
  const { actor } = workspace
  const ids = experts.map((expert) => expert.id)
  const { rows } = await sql<{ user_id: number; asked_at: string; others: number }>`
    with expert as (select id from unnest(${ids}::int[]) as of (id)), said as (
      insert into question_entries (workspace_id, question_id, user_id, kind, text, expert_id)
      select ${workspace.id}, ${id}::uuid, ${actor.id}, case when p.user_id is null then 'passed' else 'asked_back' end,
        ${text}, expert.id
      from expert left join question_passes p on p.workspace_id = ${workspace.id} and p.question_id = ${id}::uuid
        and p.user_id = expert.id
    ), passed as (
      insert into question_passes as p (workspace_id, question_id, user_id, asked_by)
      select ${workspace.id}, ${id}::uuid, expert.id, ${actor.id} from expert
      on conflict (workspace_id, question_id, user_id) do update set asked_by = excluded.asked_by,
        asked_at = greatest(excluded.asked_at, p.asked_at + interval '1 ms'), replied_at = null, replies = 0
      returning user_id, asked_at
    )
    select passed.user_id, passed.asked_at, (select count(*)::int from question_passes o where o.workspace_id = ${workspace.id}
      and o.question_id = ${id}::uuid and o.user_id <> all(${ids}::int[])) as others
    from passed`.execute(db)
  if (rows.length + (rows[0]?.others ?? 0) > MOST_EXPERTS) throw refusal('too_many_experts', { most: MOST_EXPERTS })
  const asked = new Map(rows.map((row) => [row.user_id, row.asked_at]))
  return experts.map((expert) => ({ ...expert, asked_at: asked.get(expert.id) ?? '' }))
}

/** The experts for whom a question waits, also because it was opened again. */
export async function listAwaited(db: Db, { id, workspace }: ManagedQuestion): Promise<Asked[]> {
  const { rows } = await sql<Asked>`
    select u.id, u.first_name, u.last_name, u.email, p.asked_at from question_passes p
    join users u on u.organization_id = ${workspace.organization_id} and u.id = p.user_id
    where p.workspace_id = ${workspace.id} and p.question_id = ${id}::uuid and p.replied_at is null
      and (${expertBar(workspace.id, sql`p.user_id`, todayOf(workspace.actor))}) is null`.execute(db)
  return rows
}

/** @throws ApiError 404 for a user to whom the question was not passed */
export async function withdrawPass(db: Db, { id, workspace }: ManagedQuestion, userId: number): Promise<Named> {
  const { rows } = await sql<Named>`
    with ended as (
      delete from question_passes where workspace_id = ${workspace.id} and question_id = ${id}::uuid and user_id = ${userId}
      returning user_id
    ), noted as (
      insert into question_entries (workspace_id, question_id, user_id, kind, expert_id)
      select ${workspace.id}, ${id}::uuid, ${workspace.actor.id}, 'pass_withdrawn', user_id from ended
    )
    select u.id, u.first_name, u.last_name, u.email from ended
    join users u on u.organization_id = ${workspace.organization_id} and u.id = ended.user_id`.execute(db)
  const [expert] = rows
  if (!expert) throw notFound()
  return expert
}

/** @throws ApiError 404 if the pass was ended meanwhile, 409 if the expert was asked again or has replied too often */
export async function insertReply(db: Db, question: PassedQuestion, { kind, text, asked_at }: Reply): Promise<void> {
  const { id, workspace } = question
  const { actor } = workspace
  if (Date.parse(asked_at) !== Date.parse(question.asked_at)) throw refusal('asked_again')
  // So that the trail of the question, of which the newest entries are shown, is not filled by replies.
  if (question.replies >= MOST_REPLIES) throw refusal('too_many_replies', { most: MOST_REPLIES })
  const { rows } = await sql`
    with replied as (
      update question_passes set replied_at = clock_timestamp(), replies = replies + 1
      where workspace_id = ${workspace.id} and question_id = ${id}::uuid and user_id = ${actor.id} returning user_id
    )
    insert into question_entries (workspace_id, question_id, user_id, kind, text, expert_id)
    select ${workspace.id}, ${id}::uuid, user_id, ${kind === 'draft' ? 'expert_drafted' : 'expert_remarked'}, ${text}, user_id
    from replied returning id`.execute(db)
  if (rows.length === 0) throw notFound()
}
