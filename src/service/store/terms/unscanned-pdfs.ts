import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueueTermsMail, type NamedPdf } from '../../mail/terms-fault.ts'
import { findLook } from '../branding/sender.ts'
import { listAdminAddresses } from '../workspaces/admin-addresses.ts'

export interface UnscannedPdf {
  workspace_id: number
  id: number
  blob_id: string
}

/** For so long, other workers leave a claimed PDF alone, and one whose scan failed is not tried again. */
const CLAIM = '2 minutes'

/** PDFs of terms that were not yet scanned cannot be issued. */
export async function holdTermsPdfs(db: Db): Promise<void> {
  await sql`update terms_pdfs set held = true where scanned_at is null and not held`.execute(db)
}

/** Claims a PDF of terms that was not yet scanned; undefined without one that no worker has. */
export async function claimUnscannedPdf(db: Db): Promise<UnscannedPdf | undefined> {
  const { rows } = await sql<UnscannedPdf>`
    update terms_pdfs p set claimed_at = now() from (
      select workspace_id, id from terms_pdfs where scanned_at is null and not unscannable
        and (claimed_at is null or claimed_at < now() - ${CLAIM}::interval)
      order by claimed_at nulls first, uploaded_at limit 1 for update skip locked
    ) next
    where p.workspace_id = next.workspace_id and p.id = next.id returning p.workspace_id, p.id, p.blob_id`.execute(db)
  return rows[0]
}

/** Until the policy changes: then it is tried again. */
export async function noteUnscannable(db: Db, { workspace_id, id }: UnscannedPdf): Promise<void> {
  await sql`update terms_pdfs set unscannable = true where workspace_id = ${workspace_id} and id = ${id}`.execute(db)
}

/** Limits of the scanner may have changed. */
export async function tryUnscannableAgain(db: Db): Promise<void> {
  await sql`update terms_pdfs set unscannable = false where unscannable`.execute(db)
}

export async function noteClean(db: Db, { workspace_id, id }: UnscannedPdf): Promise<void> {
  await sql`update terms_pdfs set scanned_at = now(), held = false
    where workspace_id = ${workspace_id} and id = ${id}`.execute(db)
}

/** From then on nobody gets the PDF, and a version cannot be accepted. Tells the workspace admins. */
export async function noteInfection(
  db: Db,
  { workspace_id, id }: UnscannedPdf,
  { infection, url }: { infection: string; url: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql`
      update terms_pdfs set scanned_at = now(), held = false, infection = ${infection}
      where workspace_id = ${workspace_id} and id = ${id} and infection is null returning id`.execute(tx)
    const look = rows.length > 0 ? await findLook(tx, workspace_id) : undefined
    if (!look) return
    const pdfs = await listNamedPdfs(tx, workspace_id, [id])
    for (const { admin, email, name } of await listAdminAddresses(tx, workspace_id))
      await enqueueTermsMail(tx, {
        to: email,
        to_admin: admin,
        workspace_name: name,
        fault: 'infected',
        pdfs,
        url,
        look,
      })
  })
}

/** Each with the version that it is, if it was issued. */
export async function listNamedPdfs(db: Db, workspaceId: number, ids: readonly number[]): Promise<NamedPdf[]> {
  const { rows } = await sql<NamedPdf>`
    select p.file_name, t.title, t.version from terms_pdfs p
    left join terms_versions t on t.workspace_id = p.workspace_id and t.pdf_id = p.id
    where p.workspace_id = ${workspaceId} and p.id = any(${ids}::int[]) order by p.id`.execute(db)
  return rows
}
