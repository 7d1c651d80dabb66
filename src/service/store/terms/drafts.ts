import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../../access/scopes.ts'
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

const columns = sql`nullif(d.group_id, 0) as group_id, d.title, case when p.id is null then d.text else ${pdfText} end as text,
  encode(coalesce(p.sha256, sha256(convert_to(d.text, 'UTF8'))), 'hex') as sha256, d.asks_name, d.updated_at,
  d.updated_by_id, ${pdfColumn} as pdf`

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

/** Deletes PDFs of the workspace that no version and no draft but that of `groupId` has, except `kept`. */
const deleteUnused = (workspaceId: number, groupId: number, kept: ReturnType<typeof sql>) => sql`
  delete from terms_pdfs p where p.workspace_id = ${workspaceId} and p.id is distinct from ${kept} and not exists (
    select from terms_versions t where t.workspace_id = p.workspace_id and t.pdf_id = p.id
  ) and not exists (select from terms_drafts o where o.workspace_id = p.workspace_id and o.pdf_id = p.id
    and o.group_id <> ${groupId})`

/** Writes a text as the draft. */
export const putDraft = (db: Db, of: DraftOf, written: Written & { text: string }): Promise<Draft> =>
  put(db, of, { ...written, pdf_id: null })

/** Makes a PDF the draft. */
export const putPdfDraft = (db: Db, of: DraftOf, written: Omit<Written, 'text'> & { pdf_id: number }): Promise<Draft> =>
  put(db, of, { ...written, text: '' })

async function put(
  db: Db,
  { workspace, group }: DraftOf,
  { title, text, asks_name, pdf_id }: Required<Written> & { text: string; pdf_id: number | null },
): Promise<Draft> {
  const { id, actor } = workspace
  const groupId = group?.id ?? 0
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
  const [, { rows }] = await Promise.all([lockTerms(db, workspace), written.execute(db)])
  if (!rows[0]) throw new Error('an insert gave no row')
  return rows[0]
}

/** Changes what stands beside the PDF of a draft. @returns undefined if the draft has none */
export async function updatePdfDraft(
  db: Db,
  { workspace, group }: DraftOf,
  { title, asks_name }: Pick<Written, 'title' | 'asks_name'>,
): Promise<Draft | undefined> {
  const { id, actor } = workspace
  const written = sql<Draft>`
    with written as (
      update terms_drafts set title = ${title}, asks_name = ${asks_name}, updated_at = ${actor.now},
        updated_by_id = ${actor.id}
      where workspace_id = ${id} and group_id = ${group?.id ?? 0} and pdf_id is not null and text = '' returning *
    )
    select ${columns} from written d ${joinDraftPdf}`
  const [, { rows }] = await Promise.all([lockTerms(db, workspace), written.execute(db)])
  return rows[0]
}

/** @returns the title of the discarded draft */
export async function deleteDraft(db: Db, { workspace, group }: DraftOf): Promise<string | undefined> {
  const groupId = group?.id ?? 0
  const removed = sql<{ title: string }>`
    with removed as (
      delete from terms_drafts where workspace_id = ${workspace.id} and group_id = ${groupId} returning title
    ), unused as (${deleteUnused(workspace.id, groupId, sql`null`)})
    select title from removed`
  const [, { rows }] = await Promise.all([lockTerms(db, workspace), removed.execute(db)])
  return rows[0]?.title
}
