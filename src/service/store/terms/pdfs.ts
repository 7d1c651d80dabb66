import { sql } from 'kysely'
import { TERMS_BREAK } from '../../../contract/endpoints/deal/terms-pdf.ts'
import type { AdministeredWorkspace, TermsPdf } from '../../access/scopes.ts'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'

/** What was read of a PDF: its pages in points, and their texts. */
export interface PdfFacts {
  page_widths: number[]
  page_heights: number[]
  page_texts: string[]
  /** When it was found clean; null before. */
  scanned_at: Date | null
  /** It cannot be issued before its scan. */
  held: boolean
}

/** The PDF `p` of a draft `d`. A draft that has a text as well got it from the previous release. */
export const joinDraftPdf = sql`left join terms_pdfs p on p.workspace_id = d.workspace_id and p.id = d.pdf_id and d.text = ''`

/** What a reply tells of a PDF `p`; null without one. */
export const pdfColumn = sql`case when p.id is not null then json_build_object('file_name', p.file_name, 'size', p.size,
  'pages', cardinality(p.page_widths)) end`

const pages = sql`case cardinality(p.page_widths) when 1 then '1 page' else cardinality(p.page_widths) || ' pages' end`
const read = sql`array_to_string(array_remove(p.page_texts, ''), ${TERMS_BREAK}::text)`

/** The text of terms that are a PDF `p`, also for clients that show nothing but texts. */
export const pdfText = sql<string>`'These terms are the PDF "' || p.file_name || '" of ' || ${pages} || case when ${read} = ''
  then ', in which no text could be read.' else '. This text was read from it:' || ${TERMS_BREAK}::text || ${read} end`

/** @returns its id */
export async function insertPdf(
  db: Db,
  { id, actor }: AdministeredWorkspace,
  { blob_id, size, sha256 }: StoredBlob,
  pdf: PdfFacts & { file_name: string },
): Promise<number> {
  const row = await db
    .insertInto('terms_pdfs')
    .values({
      workspace_id: id,
      blob_id,
      size,
      sha256,
      ...pdf,
      uploaded_at: actor.now,
      uploaded_by_id: actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Texts of some pages, in order. */
export async function listPageTexts(
  db: Db,
  { id, threshold }: TermsPdf,
  { from, count }: { from: number; count: number },
): Promise<string[]> {
  const { rows } = await sql<{ texts: string[] }>`
    select page_texts[${from}::int : ${from + count - 1}::bigint] as texts from terms_pdfs
    where workspace_id = ${threshold.id} and id = ${id}`.execute(db)
  return rows[0]?.texts ?? []
}
