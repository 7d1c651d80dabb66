import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { type ExpertBar, expertBar, isWaiting } from '../../access/experts.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { type Fragment, isUninvited } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Named } from '../audit/audit.ts'
import { nameIn } from './question-rows.ts'

export type Expert = Reply<Api['experts']['list']>[number]

/** Experts by name. */
export async function listExperts(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  which: RawBuilder<boolean> = sql`true`,
): Promise<Expert[]> {
  const { rows } = await sql<Expert>`
    select e.user_id, ${nameIn('u')} as name, u.email, ${expertBar(id, sql`e.user_id`, todayOf(actor))} as bar,
      array(select g.id from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
        where gm.workspace_id = ${id} and gm.user_id = e.user_id and g.kind = 'custom' order by g.id) as group_ids,
      (select count(*)::int from question_passes p join questions q on q.workspace_id = p.workspace_id and q.id = p.question_id
        where p.workspace_id = ${id} and p.user_id = e.user_id and ${isWaiting}) as waiting
    from question_experts e join users u on u.organization_id = ${organization_id} and u.id = e.user_id
    where e.workspace_id = ${id} and ${which} order by name, e.user_id`.execute(db)
  return rows
}

/** @throws ApiError 404 for a user who is no expert of the workspace */
export async function getExpert(db: Db, workspace: AdministeredWorkspace, userId: number): Promise<Expert> {
  const [expert] = await listExperts(db, workspace, sql`e.user_id = ${userId}`)
  if (!expert) throw notFound()
  return expert
}

interface Candidate extends Named {
  is_uninvited: boolean
  bar: ExpertBar | null
}

/**
 * @returns the member, or undefined if they were an expert already
 * @throws ApiError 404 for a user who is no member, 409 for one who is not invited or would be passed nothing
 */
export async function insertExpert(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  userId: number,
): Promise<Named | undefined> {
  const { rows } = await sql<Candidate>`
    select u.id, u.first_name, u.last_name, u.email, ${isUninvited('m')} as is_uninvited,
      ${expertBar(id, sql`m.user_id`, todayOf(actor))} as bar
    from workspace_memberships m join users u on u.organization_id = ${organization_id} and u.id = m.user_id
    where m.workspace_id = ${id} and m.user_id = ${userId} for key share of m`.execute(db)
  const [member] = rows
  if (!member) throw refusal('user_not_found')
  if (member.bar !== null) throw refusal('expert_barred')
  if (member.is_uninvited) throw refusal('expert_uninvited')
  const { rows: added } = await sql`
    insert into question_experts (workspace_id, user_id) values (${id}, ${userId})
    on conflict do nothing returning user_id`.execute(db)
  return added.length > 0 ? member : undefined
}

/** Whoever replies or withdraws holds the question before the pass, so those who end passes do so too. */
export async function holdQuestions(db: Db, ofPass: Fragment): Promise<void> {
  await sql`
    select from question_passes p join questions q on q.workspace_id = p.workspace_id and q.id = p.question_id
    where ${ofPass} order by q.id for key share of q`.execute(db)
}

/**
 * Takes an expert off and ends what was passed to them.
 * @returns the expert, with the questions that they had
 * @throws ApiError 404 for a user who is no expert
 */
export async function deleteExpert(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  userId: number,
): Promise<{ expert: Named; questions: { id: string; subject: string }[] }> {
  // Those who pass a question hold the expert too: what they passed is seen by the next statement.
  const holding = sql<Named>`
    select u.id, u.first_name, u.last_name, u.email from question_experts e
    join users u on u.organization_id = ${organization_id} and u.id = e.user_id
    where e.workspace_id = ${id} and e.user_id = ${userId} for update of e`.execute(db)
  const [{ rows: held }] = await Promise.all([
    holding,
    holdQuestions(db, sql`p.workspace_id = ${id} and p.user_id = ${userId}`),
  ])
  const [expert] = held
  if (!expert) throw notFound()
  const { rows: questions } = await sql<{ id: string; subject: string }>`
    with ended as (
      delete from question_experts where workspace_id = ${id} and user_id = ${userId} returning user_id
    ), noted as (
      insert into question_entries (workspace_id, question_id, user_id, kind, expert_id)
      select p.workspace_id, p.question_id, ${actor.id}, 'pass_withdrawn', p.user_id
      from question_passes p join ended on ended.user_id = p.user_id where p.workspace_id = ${id}
      returning question_id
    )
    select q.id, q.subject from noted
    join questions q on q.workspace_id = ${id} and q.id = noted.question_id order by q.number`.execute(db)
  return { expert, questions }
}
