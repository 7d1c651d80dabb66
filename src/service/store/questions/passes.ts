import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { type ExpertBar, expertBar } from '../../access/experts.ts'
import type { ManagedQuestion, PassedQuestion } from '../../access/scopes.ts'
import { todayOf } from '../../auth/actor.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Named } from '../audit/audit.ts'

type Passing = Input<Api['experts']['pass']>['body']
type Reply = Input<Api['experts']['reply']>['body']

/**
 * Passes a question to experts; it waits for those who had it before once more.
 * @throws ApiError 404 for users who are no experts, 409 for experts whom something bars
 */
export async function passQuestion(
  db: Db,
  { id, workspace }: ManagedQuestion,
  { user_ids, text }: Passing,
): Promise<Named[]> {
  const { actor } = workspace
  const ids = [...new Set(user_ids)]
  const { rows } = await sql<Named & { bar: ExpertBar | null }>`
    select u.id, u.first_name, u.last_name, u.email, ${expertBar(workspace.id, sql`e.user_id`, todayOf(actor))} as bar
    from question_experts e join users u on u.organization_id = ${workspace.organization_id} and u.id = e.user_id
    where e.workspace_id = ${workspace.id} and e.user_id = any(${ids}::int[]) order by u.id for key share of e`.execute(
    db,
  )
  if (rows.length < ids.length) throw notFound()
  if (rows.some(({ bar }) => bar !== null)) throw refusal('expert_barred')
  await sql`
    with expert as (select id from unnest(${ids}::int[]) as of (id)), said as (
      insert into question_entries (workspace_id, question_id, user_id, kind, text, expert_id)
      select ${workspace.id}, ${id}::uuid, ${actor.id}, case when p.user_id is null then 'passed' else 'asked_back' end,
        ${text}, expert.id
      from expert left join question_passes p on p.workspace_id = ${workspace.id} and p.question_id = ${id}::uuid
        and p.user_id = expert.id
    )
    insert into question_passes (workspace_id, question_id, user_id, asked_by)
    select ${workspace.id}, ${id}::uuid, expert.id, ${actor.id} from expert
    on conflict (workspace_id, question_id, user_id)
      do update set asked_by = excluded.asked_by, asked_at = now(), replied_at = null`.execute(db)
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

/** @throws ApiError 404 if the pass was ended meanwhile */
export async function insertReply(db: Db, { id, workspace }: PassedQuestion, { kind, text }: Reply): Promise<void> {
  const { actor } = workspace
  const { rows } = await sql`
    with replied as (
      update question_passes set replied_at = now()
      where workspace_id = ${workspace.id} and question_id = ${id}::uuid and user_id = ${actor.id} returning user_id
    )
    insert into question_entries (workspace_id, question_id, user_id, kind, text, expert_id)
    select ${workspace.id}, ${id}::uuid, user_id, ${kind === 'draft' ? 'expert_drafted' : 'expert_remarked'}, ${text}, user_id
    from replied returning id`.execute(db)
  if (rows.length === 0) throw notFound()
}
