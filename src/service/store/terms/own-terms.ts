import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Threshold } from '../../access/scopes.ts'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import { nameOf } from '../../auth/actor.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { together } from '../../db/pipelined-dialect.ts'
import { type Issue, issueColumns, pdfOf } from './issue-columns.ts'

type Own = Reply<Api['terms']['mine']>

/** What the caller is shown before they may enter: of the workspace only its name, its terms and its contact. */
export async function getOwnTerms(db: Db, threshold: Threshold): Promise<Own> {
  const { id, name, actor, awaits_terms } = threshold
  const [{ contact, company }, terms] = await together(db, (at) =>
    Promise.all([getPeople(at, threshold), listOwn(at, threshold)]),
  )
  const { first_name, last_name, email, ip: address } = actor
  return {
    workspace_id: id,
    workspace_name: name,
    await: awaits_terms,
    terms,
    contact,
    recorded: { first_name, last_name, email, company, address },
  }
}

async function getPeople(db: Db, { id, organization_id, actor }: Threshold) {
  const { rows } = await sql<Pick<Own, 'contact'> & { company: string }>`
    select own.company, case when c.id is not null then json_build_object('first_name', c.first_name,
      'last_name', c.last_name, 'email', c.email) end as contact
    from workspaces w join users own on own.organization_id = w.organization_id and own.id = ${actor.id}
    left join users c on c.organization_id = w.organization_id and c.id = w.contact_user_id and c.deleted_at is null
      and ${isWorkspaceAdmin(sql`w.id`, sql`c.id`)}
    where w.organization_id = ${organization_id} and w.id = ${id}`.execute(db)
  return rows[0] ?? { contact: null, company: '' }
}

type OwnRow = Own['terms'][number]

/** Terms that await come first. */
async function listOwn(db: Db, { id, terms_ids, actor }: Threshold): Promise<Own['terms']> {
  const { rows } = await sql<OwnRow>`
    select ${issueColumns}, t.text, own.accepted_at, own.declined_at, case when former.id is not null then
      json_build_object('id', former.id, 'version', former.version, 'text', former.text, 'pdf', former.pdf,
        'accepted_at', former.accepted_at) end as former
    from terms_versions t cross join lateral (
      select max(a.answered_at) filter (where a.accepted and t.id = any(m.accepted_terms)) as accepted_at,
        max(a.answered_at) filter (where not a.accepted and a.answered_at >= m.created_at) as declined_at
      from workspace_memberships m left join terms_answers a on a.workspace_id = m.workspace_id and a.user_id = m.user_id
        and a.terms_id = t.id
      where m.workspace_id = t.workspace_id and m.user_id = ${actor.id}
    ) own left join lateral (
      select f.id, f.version, f.text, ${pdfOf('f')} as pdf,
        to_char(a.answered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as accepted_at from terms_answers a
      join terms_versions f on f.workspace_id = a.workspace_id and f.id = a.terms_id
      where a.workspace_id = t.workspace_id and a.user_id = ${actor.id} and a.accepted and f.group_id = t.group_id
        and f.version < t.version
      order by f.version desc, a.id desc limit 1
    ) former on true
    where t.workspace_id = ${id} and t.id = any(${terms_ids}::int[])
    order by own.accepted_at is not null, t.id`.execute(db)
  return rows
}

type Answered = Issue & Record<'in_force' | 'accepted' | 'declined', boolean> & { fault: 'infected' | 'damaged' | null }

/** A version of the workspace or of a group of the caller, whose membership is locked. @throws ApiError 404 */
export async function lockOwn(db: Db, { id, terms_ids, actor }: Threshold, termsId: number): Promise<Answered> {
  const { rows } = await sql<Answered>`
    select ${issueColumns}, t.id = any(${terms_ids}::int[]) as in_force,
      t.id = any(m.accepted_terms) as accepted, exists (
      select from terms_answers a where a.workspace_id = m.workspace_id and a.user_id = m.user_id and a.terms_id = t.id
        and not a.accepted and a.answered_at >= m.created_at) as declined, (
      select case when p.infection is not null then 'infected' when p.damage is not null then 'damaged' end
      from terms_pdfs p where p.workspace_id = t.workspace_id and p.id = t.pdf_id) as fault
    from workspace_memberships m join terms_versions t on t.workspace_id = m.workspace_id and t.id = ${termsId}
    where m.workspace_id = ${id} and m.user_id = ${actor.id} and (t.group_id = 0 or exists (
      select from group_memberships mine where mine.workspace_id = t.workspace_id and mine.group_id = t.group_id
        and mine.user_id = m.user_id))
    for no key update of m`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface Answer {
  terms_id: number
  accepted: boolean
  typed_name: string
}

/** Keeps the answer, and with the membership what is accepted of the versions in force. */
export async function insertAnswer(db: Db, threshold: Threshold, answer: Answer): Promise<void> {
  const { id, actor, terms_ids } = threshold
  await sql`
    with answered as (
      insert into terms_answers (workspace_id, terms_id, user_id, accepted, answered_at, ip, user_name, email, company,
        typed_name)
      select ${id}, ${answer.terms_id}, u.id, ${answer.accepted}, ${actor.now}, ${actor.ip}, ${nameOf(actor)}, u.email,
        u.company, ${answer.typed_name}
      from users u where u.organization_id = ${actor.organization_id} and u.id = ${actor.id}
    )
    update workspace_memberships m set accepted_terms = array(
      select kept from unnest(m.accepted_terms) kept where kept = any(${terms_ids}::int[])
      union select ${answer.terms_id}::int where ${answer.accepted}::boolean)
    where m.workspace_id = ${id} and m.user_id = ${actor.id}`.execute(db)
}
