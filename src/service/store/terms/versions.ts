import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { type ApiError, damagedContent, notFound, refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { draftHash, type DraftOf } from './drafts.ts'
import { issueColumns } from './issue-columns.ts'
import { joinDraftPdf, pdfText } from './pdfs.ts'

type Version = Reply<Api['terms']['listVersions']>[number]
type VersionWithText = Reply<Api['terms']['getVersion']>

const inForce = sql`(
  exists (select from workspaces w where w.id = t.workspace_id and w.terms_id = t.id)
  or exists (select from groups g where g.workspace_id = t.workspace_id and g.id = t.group_id and g.terms_id = t.id))`

const columns = sql`t.issued_by_id, t.withdrawn_at, ${inForce} as in_force,
  coalesce(answers.accepted, 0) as accepted, coalesce(answers.declined, 0) as declined`

/** People count once, with their latest answer to the version. */
const answersIn = ({ id }: AdministeredWorkspace) => sql`(
  select latest.terms_id, count(*) filter (where latest.accepted)::int as accepted,
    count(*) filter (where not latest.accepted)::int as declined
  from (
    select distinct on (a.user_id, a.terms_id) a.terms_id, a.accepted from terms_answers a
    where a.workspace_id = ${id} order by a.user_id, a.terms_id, a.id desc
  ) latest group by latest.terms_id)`

export async function listVersions(db: Db, workspace: AdministeredWorkspace): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select ${issueColumns}, ${columns} from terms_versions t left join ${answersIn(workspace)} answers on answers.terms_id = t.id
    where t.workspace_id = ${workspace.id} order by t.id desc`.execute(db)
  return rows
}

/** @throws ApiError 404 */
export async function getVersion(db: Db, workspace: AdministeredWorkspace, id: number): Promise<VersionWithText> {
  const { rows } = await sql<VersionWithText>`
    select ${issueColumns}, ${columns}, t.text from terms_versions t left join ${answersIn(workspace)} answers on answers.terms_id = t.id
    where t.workspace_id = ${workspace.id} and t.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** What the admin has read of a draft. */
type Read = Omit<Input<Api['terms']['issue']>['body'], 'group_id'>

/**
 * Makes the draft the next version, in force for the workspace or the group.
 * @throws ApiError 409 for another draft than the admin has read, and for a PDF that is not yet scanned, 422 for a PDF
 * that is not shown
 */
export async function issueDraft(db: Db, of: DraftOf, read: Read): Promise<VersionWithText> {
  const { workspace, group } = of
  const { sha256, title = null, asks_name = null } = read
  await holdTerms(db, workspace)
  const { rows } = await sql<{ id: number }>`
    with draft as (
      delete from terms_drafts d where d.workspace_id = ${workspace.id} and d.group_id = ${group?.id ?? 0}
        and ${draftHash} = decode(${sha256}, 'hex') and d.title = coalesce(${title}, d.title)
        and d.asks_name = coalesce(${asks_name}::boolean, d.asks_name) and ${pdfFault} is null returning d.*
    )
    insert into terms_versions (workspace_id, group_id, group_name, version, title, text, sha256, asks_name, issued_at,
      issued_by_id, pdf_id)
    select d.workspace_id, d.group_id, ${group?.name ?? ''}, 1 + coalesce((
        select max(t.version) from terms_versions t where t.workspace_id = d.workspace_id and t.group_id = d.group_id), 0),
      d.title, case when p.id is null then d.text else ${pdfText} end, decode(${sha256}, 'hex'), d.asks_name,
      ${workspace.actor.now}, ${workspace.actor.id}, p.id
    from draft d ${joinDraftPdf} returning id`.execute(db)
  if (!rows[0]) throw await whyNotIssued(db, of, sha256)
  await setInForce(db, workspace, group?.id ?? 0, sql`${rows[0].id}::int`)
  return getVersion(db, workspace, rows[0].id)
}

/** Why the PDF of a draft `d` cannot be issued; null for any other draft. */
const pdfFault = sql`(select case when p.infection is not null then 'infected' when p.damage is not null then 'damaged'
  when p.held and p.unscannable then 'unscannable' when p.held then 'held' end
  from terms_pdfs p where p.workspace_id = d.workspace_id and p.id = d.pdf_id and d.text = '')`

async function whyNotIssued(db: Db, { workspace, group }: DraftOf, sha256: string): Promise<ApiError> {
  const { rows } = await sql<{ fault: 'infected' | 'damaged' | 'unscannable' | 'held' | null }>`
    select ${pdfFault} as fault from terms_drafts d where d.workspace_id = ${workspace.id}
      and d.group_id = ${group?.id ?? 0} and ${draftHash} = decode(${sha256}, 'hex')`.execute(db)
  const fault = rows[0]?.fault
  if (fault === 'infected') return refusal('terms_infected')
  if (fault === 'damaged') return damagedContent()
  if (fault === 'unscannable') return unprocessable('file', 'terms_scannable')
  return refusal(fault === 'held' ? 'terms_not_scanned' : 'terms_draft_changed')
}

/** @throws ApiError 404, 409 unless the version is in force */
export async function withdrawVersion(
  db: Db,
  workspace: AdministeredWorkspace,
  termsId: number,
): Promise<VersionWithText> {
  await holdTerms(db, workspace)
  const version = await getVersion(db, workspace, termsId)
  if (!version.in_force) throw refusal('terms_changed')
  await setInForce(db, workspace, version.group_id ?? 0, sql`null`)
  await db
    .updateTable('terms_versions')
    .set({ withdrawn_at: workspace.actor.now })
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', termsId)
    .execute()
  return getVersion(db, workspace, termsId)
}

/** Lets one change of terms wait for another. */
async function holdTerms(db: Db, { id, organization_id }: AdministeredWorkspace): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ has_terms: true })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

async function setInForce(db: Db, { id }: AdministeredWorkspace, groupId: number, termsId: RawBuilder<unknown>) {
  const change =
    groupId === 0
      ? sql`update workspaces set terms_id = ${termsId} where id = ${id}`
      : sql`update groups set terms_id = ${termsId} where workspace_id = ${id} and id = ${groupId}`
  await change.execute(db)
}
