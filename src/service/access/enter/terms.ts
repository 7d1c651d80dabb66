import { type RawBuilder, sql } from 'kysely'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { AdministeredGroup, AdministeredWorkspace, TermsPdf, Threshold } from '../scopes.ts'

type Row = Omit<TermsPdf, 'threshold'> & { infected: boolean }

/**
 * The only content that is served before terms are accepted: the PDF of a version that binds the caller or that the
 * caller has answered. Workspace admins have every PDF. Nobody has an infected one.
 */
async function enter(db: Db, threshold: Threshold, which: RawBuilder<unknown>): Promise<TermsPdf> {
  const { id, admin, terms_ids, actor } = threshold
  const { rows } = await sql<Row>`
    select p.id, p.blob_id, p.file_name, p.size, p.sha256, p.page_widths, p.page_heights, p.damage is not null as damaged, p.infection is not null as infected
    from terms_pdfs p where p.workspace_id = ${id} and p.id = ${which} and (${admin}::boolean or exists (
      select from terms_versions t where t.workspace_id = p.workspace_id and t.pdf_id = p.id
        and (t.id = any(${terms_ids}::int[]) or exists (select from terms_answers a where a.workspace_id = t.workspace_id
          and a.user_id = ${actor.id} and a.terms_id = t.id))))`.execute(db)
  if (!rows[0]) throw notFound()
  const { infected, ...pdf } = rows[0]
  if (infected) throw refusal('terms_infected')
  return { ...pdf, threshold } as TermsPdf
}

/** @throws ApiError 404, also for terms that are a text */
export const enterTermsPdf = (db: Db, threshold: Threshold, pdfId: number): Promise<TermsPdf> =>
  enter(db, threshold, sql`${pdfId}::int`)

/** The PDF of a version. @throws ApiError 404, also for terms that are a text */
export const enterTerms = (db: Db, threshold: Threshold, termsId: number): Promise<TermsPdf> =>
  enter(
    db,
    threshold,
    sql`(select v.pdf_id from terms_versions v where v.workspace_id = ${threshold.id} and v.id = ${termsId})`,
  )

/** The PDF of the draft of a workspace or group. @throws ApiError 404, also for a draft that is a text */
export const enterDraftTerms = (
  db: Db,
  workspace: AdministeredWorkspace,
  group: AdministeredGroup | undefined,
): Promise<TermsPdf> =>
  enter(
    db,
    { ...workspace, terms_ids: [], awaits_terms: false } as unknown as Threshold,
    sql`(select d.pdf_id from terms_drafts d where d.workspace_id = ${workspace.id} and d.group_id = ${group?.id ?? 0}
      and d.text = '')`,
  )
