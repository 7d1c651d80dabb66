import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { pdfColumn } from './pdfs.ts'

export type Issue = Omit<
  Reply<Api['terms']['listVersions']>[number],
  'issued_by_id' | 'withdrawn_at' | 'in_force' | 'accepted' | 'declined'
>

/** The PDF of a version, named by its alias. */
export const pdfOf = (version: string) => sql`(select ${pdfColumn} from terms_pdfs p
  where p.workspace_id = ${sql.id(version)}.workspace_id and p.id = ${sql.id(version)}.pdf_id)`

/** Columns of a version `t` of terms, without its text. */
export const issueColumns = sql`t.id, nullif(t.group_id, 0) as group_id, t.group_name, t.version, t.title,
  encode(t.sha256, 'hex') as sha256, t.asks_name, t.issued_at, ${pdfOf('t')} as pdf`
