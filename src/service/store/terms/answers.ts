import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { standingIn, termsAwait } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'

type Answer = Reply<Api['terms']['listAnswers']>[number]
type AnswerRow = Answer & { key: number }

const AT_A_TIME = 500

/** Yields the members whose answer is awaited, then the answers, newest first. */
export async function* listAnswers(db: Db, workspace: AdministeredWorkspace): AsyncIterable<Answer> {
  for (const list of [selectAwaited, selectAnswers]) {
    for (let from: number | null = null; ;) {
      const rows: AnswerRow[] = await list(db, workspace, from)
      for (const { key: _key, ...answer } of rows) yield answer
      if (rows.length < AT_A_TIME) break
      from = rows.at(-1)?.key ?? null
    }
  }
}

const version = sql`t.id as terms_id, t.group_name, t.title, t.version, encode(t.sha256, 'hex') as sha256,
  (select p.file_name from terms_pdfs p where p.workspace_id = t.workspace_id and p.id = t.pdf_id) as file_name`

/** Whether the version `bound` is neither accepted nor declined by a member since they joined. */
const isUnanswered = (member: string) => sql`not bound.id = any(${sql.id(member)}.accepted_terms)
  and not exists (select from terms_answers a where a.workspace_id = ${sql.id(member)}.workspace_id
    and a.user_id = ${sql.id(member)}.user_id and a.terms_id = bound.id and a.answered_at >= ${sql.id(member)}.created_at)`

/** Members in the order of their ids. Whoever declined the version is among the answers. */
async function selectAwaited(db: Db, { id, organization_id, actor }: AdministeredWorkspace, from: number | null) {
  const { rows } = await sql<AnswerRow>`
    with person as materialized (
      select m.workspace_id, m.user_id, m.created_at, m.accepted_terms, standing.terms_ids
      from workspaces w join workspace_memberships m on m.workspace_id = w.id
      cross join lateral ${standingIn(sql`w.id`, sql`m.user_id`, todayOf(actor))} standing
      where w.organization_id = ${organization_id} and w.id = ${id} and w.has_terms and m.user_id > ${from ?? 0}
        and ${termsAwait} and exists (select from unnest(standing.terms_ids) bound (id) where ${isUnanswered('m')})
      order by m.user_id limit ${AT_A_TIME}
    )
    select u.id as key, ${version}, true as in_force, 'awaited' as answer, u.id as user_id,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as user_name, u.email, u.company,
      '' as typed_name, '' as address, null::timestamptz(3) as answered_at
    from person p join users u on u.organization_id = ${organization_id} and u.id = p.user_id
    cross join unnest(p.terms_ids) bound (id) join terms_versions t on t.workspace_id = p.workspace_id and t.id = bound.id
    where ${isUnanswered('p')}
    order by u.id, t.id`.execute(db)
  return rows
}

async function selectAnswers(db: Db, { id, organization_id, actor }: AdministeredWorkspace, from: number | null) {
  const { rows } = await sql<AnswerRow>`
    select a.id as key, ${version}, coalesce(t.id = any(own.terms_ids), false) as in_force,
      case when a.accepted then 'accepted' else 'declined' end as answer, a.user_id, a.user_name, a.email, a.company,
      a.typed_name, a.ip as address, a.answered_at
    from terms_answers a join terms_versions t on t.workspace_id = a.workspace_id and t.id = a.terms_id
    left join lateral (
      select standing.terms_ids from workspaces w join workspace_memberships m on m.workspace_id = w.id
      cross join lateral ${standingIn(sql`w.id`, sql`m.user_id`, todayOf(actor))} standing
      where w.organization_id = ${organization_id} and w.id = a.workspace_id and m.user_id = a.user_id
    ) own on true
    where a.workspace_id = ${id} and (${from}::int is null or a.id < ${from}) order by a.id desc limit ${AT_A_TIME}`.execute(
    db,
  )
  return rows
}
