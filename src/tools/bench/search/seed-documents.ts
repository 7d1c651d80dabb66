import { sql } from 'kysely'
import type { Db } from '../../../service/db/pool.ts'
import { vectorOf } from '../../../service/store/search/search-vector.ts'
import { searchWords } from '../../../service/store/search/search-words.ts'
import type { Corpus } from './corpus.ts'

interface Room {
  workspace_id: number
  folders: number[]
  total: number
}

const BATCH = 1000

/**
 * Writes the rows of files and their texts that uploads and ingests would leave, without content. It creates the index
 * at the end, which is faster.
 */
export async function seedDocuments(db: Db, corpus: Corpus, { workspace_id, folders, total }: Room): Promise<void> {
  await sql`drop index search_entries_terms`.execute(db)
  for (let first = 0; first < total; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, total - first) }, (_, at) => {
      const number = first + at
      const { title, text } = corpus.document(number)
      const words = searchWords(text)
      return {
        number,
        blob_id: number.toString(16).padStart(32, '0'),
        folder_id: folders[number % folders.length],
        title,
        text,
        words: ` ${words.join(' ')} `,
        terms: vectorOf(words),
      }
    })
    await insert(db, workspace_id, JSON.stringify(rows))
  }
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`create index search_entries_terms on search_entries using gin (terms) with (fastupdate = off)`.execute(
      connection,
    )
  })
  await sql`vacuum (analyze) files, search_entries, document_texts, folders, folder_permissions`.execute(db)
}

async function insert(db: Db, workspaceId: number, rows: string): Promise<void> {
  const seeds = sql`jsonb_to_recordset(${rows}::jsonb) as r
    (number int, blob_id text, folder_id int, title text, text text, words text, terms text)`
  await sql`insert into documents (workspace_id, blob_id, content_type, status)
    select ${workspaceId}, blob_id, 'text/plain', 'Unsupported' from ${seeds}`.execute(db)
  await sql`insert into document_texts (workspace_id, blob_id, part, text, words)
    select ${workspaceId}, blob_id, 0, text, words from ${seeds}`.execute(db)
  await sql`insert into document_terms (workspace_id, blob_id, terms)
    select ${workspaceId}, blob_id, terms::tsvector from ${seeds}`.execute(db)
  await sql`insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256,
      blob_id, viewer_status)
    select ${workspaceId}, folder_id, title, title, number + 1, 1, 'text/plain', '\\x00', blob_id, 'Unsupported'
    from ${seeds}`.execute(db)
}
