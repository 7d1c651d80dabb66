import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export interface ScanningProcess {
  kind: 'service' | 'worker'
  host: string
  is_scanning: boolean
  requires_scan: boolean
}

/** Its process noted itself lately. */
const isRunning = sql`seen_at > now() - interval '3 minutes'`

/** Running processes that take or read documents. Those of the previous release do not tell, and are left out. */
export async function listScanningProcesses(db: Db): Promise<ScanningProcess[]> {
  const { rows } = await sql<ScanningProcess>`
    select distinct kind, host, is_scanning, requires_scan from processes
    where ${isRunning} and requires_scan is not null order by kind, host`.execute(db)
  return rows
}

export interface UnscannedTerms {
  files: number
  /** Seconds for which the oldest has waited; 0 without one. */
  age: number
}

const MOST_COUNTED = 10_000

/** PDFs of terms that wait for a scan. While no process has a scanner, only those that cannot be issued without one. */
export async function readUnscannedTerms(db: Db): Promise<UnscannedTerms> {
  const { rows } = await sql<UnscannedTerms>`
    select count(*)::int as files, coalesce(extract(epoch from now() - min(uploaded_at)), 0)::float8 as age
    from (
      select uploaded_at from terms_pdfs where scanned_at is null and not unscannable and (held or exists (
        select from processes where is_scanning and ${isRunning}))
      order by uploaded_at limit ${MOST_COUNTED}
    ) waiting`.execute(db)
  return rows[0] ?? { files: 0, age: 0 }
}

/** A PDF `p` is a draft, or in force. */
const isUsed = sql`(
  exists (select from terms_drafts d where d.workspace_id = p.workspace_id and d.pdf_id = p.id and d.text = '')
  or exists (
    select from terms_versions t where t.workspace_id = p.workspace_id and t.pdf_id = p.id and (
      exists (select from workspaces w where w.id = t.workspace_id and w.terms_id = t.id)
      or exists (select from groups g where g.workspace_id = t.workspace_id and g.terms_id = t.id))))`

/** The workspace of each such PDF of terms that is a draft, or in force. */
export async function listFaultyTerms(db: Db, fault: 'unscannable' | 'infected'): Promise<number[]> {
  const has = fault === 'infected' ? sql`p.infection is not null` : sql`p.scanned_at is null and p.unscannable`
  const { rows } = await sql<{ workspace_id: number }>`
    select p.workspace_id from terms_pdfs p where ${has} and ${isUsed}
    order by p.workspace_id limit ${MOST_COUNTED}`.execute(db)
  return rows.map(({ workspace_id }) => workspace_id)
}
