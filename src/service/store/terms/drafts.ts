import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { NO_DRAFT } from '../../../contract/endpoints/deal/terms-pdf.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../../access/scopes.ts'
import { refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { joinDraftPdf, pdfColumn, pdfText } from './pdfs.ts'

/** Of the workspace itself, or of one of its groups. */
export interface DraftOf {
  workspace: AdministeredWorkspace
  group: AdministeredGroup | undefined
}

type Draft = NonNullable<Reply<Api['terms']['getDraft']>['draft']>
type Written = Omit<Input<Api['terms']['saveDraft']>['body'], 'group_id'>

/** Of the bytes of the PDF, or of the text, of a draft `d`. */
export const draftHash = sql`coalesce((
  select p.sha256 from terms_pdfs p where p.workspace_id = d.workspace_id and p.id = d.pdf_id and d.text = ''
), sha256(convert_to(d.text, 'UTF8')))`

/** Of a draft `d`. */
const digest = sql<string>`encode(sha256(convert_to(
  json_build_array(d.title, d.text, d.asks_name, d.pdf_id)::text, 'UTF8')), 'hex')`

const columns = sql`nullif(d.group_id, 0) as group_id, d.title, case when p.id is null then d.text else ${pdfText} end as text,
  encode(coalesce(p.sha256, sha256(convert_to(d.text, 'UTF8'))), 'hex') as sha256, d.asks_name, d.updated_at,
  d.updated_by_id, ${pdfColumn} as pdf, ${digest} as digest`

/**
 * Lets one change of terms and drafts wait for another. A statement of its own, so that those after it see what the other
 * one did.
 */
export async function lockTerms(db: Db, { id, organization_id }: AdministeredWorkspace): Promise<void> {
  await sql`select from workspaces where organization_id = ${organization_id} and id = ${id} for no key update`.execute(
    db,
  )
}

export async function findDraft(db: Db, { workspace, group }: DraftOf): Promise<Draft | null> {
  const { rows } = await sql<Draft>`
    select ${columns} from terms_drafts d ${joinDraftPdf}
    where d.workspace_id = ${workspace.id} and d.group_id = ${group?.id ?? 0}`.execute(db)
  return rows[0] ?? null
}

/**
 * Changes a draft by a statement.
 * @param read the digest of the draft that the caller has read, or `NO_DRAFT`
 * @throws ApiError 409 if the draft is another one by now
 */
async function change<Row>(
  db: Db,
  { workspace, group }: DraftOf,
  statement: RawBuilder<Row>,
  read: string | undefined,
): Promise<Row | undefined> {
  const present = sql<{ digest: string }>`
    select ${digest} as digest from terms_drafts d where d.workspace_id = ${workspace.id} and d.group_id = ${group?.id ?? 0}`
  const [, former, { rows }] = await Promise.all([
    lockTerms(db, workspace),
    read === undefined ? undefined : present.execute(db),
    statement.execute(db),
  ])
  if (former && (former.rows[0]?.digest ?? NO_DRAFT) !== read) throw refusal('terms_draft_changed')
  return rows[0]
}

/** Deletes PDFs of the workspace that no version and no draft but that of `groupId` has, except `kept`. */
const deleteUnused = (workspaceId: number, groupId: number, kept: ReturnType<typeof sql>) => sql`
  delete from terms_pdfs p where p.workspace_id = ${workspaceId} and p.id is distinct from ${kept} and not exists (
    select from terms_versions t where t.workspace_id = p.workspace_id and t.pdf_id = p.id
  ) and not exists (select from terms_drafts o where o.workspace_id = p.workspace_id and o.pdf_id = p.id
    and o.group_id <> ${groupId})`

/** Writes a text as the draft. @throws ApiError 409 */
export const putDraft = (db: Db, of: DraftOf, written: Written & { text: string }): Promise<Draft> =>
  put(db, of, { ...written, pdf_id: null })

/** Makes a PDF the draft. @throws ApiError 409 */
export const putPdfDraft = (db: Db, of: DraftOf, written: Omit<Written, 'text'> & { pdf_id: number }): Promise<Draft> =>
  put(db, of, { ...written, text: '' })

async function put(
  db: Db,
  of: DraftOf,
  { title, text, asks_name, pdf_id, digest: read }: Written & { text: string; pdf_id: number | null },
): Promise<Draft> {
  const { id, actor } = of.workspace
  const groupId = of.group?.id ?? 0
  const written = sql<Draft>`
    with written as (
      insert into terms_drafts as d (workspace_id, group_id, title, text, asks_name, updated_at, updated_by_id, pdf_id)
      values (${id}, ${groupId}, ${title}, ${text}, ${asks_name}, ${actor.now}, ${actor.id}, ${pdf_id}::int)
      on conflict (workspace_id, group_id) do update set title = excluded.title, text = excluded.text,
        asks_name = excluded.asks_name, updated_at = excluded.updated_at, updated_by_id = excluded.updated_by_id,
        pdf_id = excluded.pdf_id
      returning *
    ), unused as (${deleteUnused(id, groupId, sql`${pdf_id}::int`)})
    select ${columns} from written d ${joinDraftPdf}`
  const draft = await change(db, of, written, read)
  if (!draft) throw new Error('an insert gave no row')
  return draft
}

/** Changes what stands beside the PDF of a draft. @returns undefined if the draft has none @throws ApiError 409 */
export function updatePdfDraft(
  db: Db,
  of: DraftOf,
  { title, asks_name, digest: read }: Omit<Written, 'text'>,
): Promise<Draft | undefined> {
  const { id, actor } = of.workspace
  const written = sql<Draft>`
    with written as (
      update terms_drafts set title = ${title}, asks_name = ${asks_name}, updated_at = ${actor.now},
        updated_by_id = ${actor.id}
      where workspace_id = ${id} and group_id = ${of.group?.id ?? 0} and pdf_id is not null and text = '' returning *
    )
    select ${columns} from written d ${joinDraftPdf}`
  return change(db, of, written, read)
}

/** @returns the title of the discarded draft @throws ApiError 409 */
export async function deleteDraft(db: Db, of: DraftOf, read?: string): Promise<string | undefined> {
  const { id } = of.workspace
  const groupId = of.group?.id ?? 0
  const removed = sql<{ title: string }>`
    with removed as (
      delete from terms_drafts where workspace_id = ${id} and group_id = ${groupId} returning title
    ), unused as (${deleteUnused(id, groupId, sql`null`)})
    select title from removed`
  return (await change(db, of, removed, read))?.title
}
