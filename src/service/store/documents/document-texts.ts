import { sql } from 'kysely'
import { committing } from '../../db/pipelined-dialect.ts'
import type { Db, Tx } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import type { DocumentKey } from './documents.ts'
import { vectorOf } from '../search/search-vector.ts'
import { searchWords } from '../search/search-words.ts'

/** Characters of one part, and how many of them the next part repeats. */
const PART_LENGTH = 8000
const OVERLAP = 400

/** Makes files with this current content searchable by its text, which replaces any former text. */
export async function saveText(db: Db, key: DocumentKey, text: string): Promise<void> {
  await transaction(db, (tx) => committing(tx, () => writeText(tx, key, text)))
}

/** Copies the text of the same content under another id, so that the text need not be read again. */
export async function copyText(db: Db, from: DocumentKey, to: DocumentKey): Promise<void> {
  await transaction(db, (tx) => committing(tx, () => writeText(tx, to, from)))
}

/** Writes the text of a document, given or copied from another document. Its statements are sent together. */
export async function writeText(tx: Tx, key: DocumentKey, text: string | DocumentKey): Promise<void> {
  const { parts, terms } = typeof text === 'string' ? given(key, text) : copied(key, text)
  await Promise.all([
    lock(tx, key),
    sql`delete from document_texts where ${is(key)}`.execute(tx),
    sql`insert into document_texts (workspace_id, blob_id, part, text, words) ${parts}`.execute(tx),
    sql`
      insert into document_terms (workspace_id, blob_id, terms) ${terms}
      on conflict (workspace_id, blob_id) do update set terms = excluded.terms`.execute(tx),
    updateEntries(tx, key),
  ])
}

function given({ workspace_id, blob_id }: DocumentKey, text: string) {
  const rows = partsOf(text).map((part, number) => ({
    part: number,
    text: part,
    words: ` ${searchWords(part).join(' ')} `,
  }))
  return {
    parts: sql`
      select ${workspace_id}, ${blob_id}, part, text, words
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (part int, text text, words text)`,
    terms: sql`values (${workspace_id}, ${blob_id}, ${vectorOf(searchWords(text))}::tsvector)`,
  }
}

function copied({ workspace_id, blob_id }: DocumentKey, from: DocumentKey) {
  return {
    parts: sql`select ${workspace_id}, ${blob_id}, part, text, words from document_texts where ${is(from)}`,
    terms: sql`select ${workspace_id}, ${blob_id}, terms from document_terms where ${is(from)}`,
  }
}

const is = ({ workspace_id, blob_id }: DocumentKey) => sql`workspace_id = ${workspace_id} and blob_id = ${blob_id}`

/** Locks out files that are made of the same content at this moment (write_search_entries). */
async function lock(tx: Tx, key: DocumentKey): Promise<void> {
  await sql`select from documents where ${is(key)} for update`.execute(tx)
}

async function updateEntries(tx: Tx, { workspace_id, blob_id }: DocumentKey): Promise<void> {
  await sql`
    select write_search_entries(${workspace_id}, array_agg(f.id))
    from file_versions v join files f on f.workspace_id = v.workspace_id and f.id = v.file_id and f.blob_id = v.blob_id
    where v.workspace_id = ${workspace_id} and v.blob_id = ${blob_id}`.execute(tx)
}

/** Cuts at white space if there is some near the border. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const end = borderBefore(text, start + PART_LENGTH)
    parts.push(text.slice(start, end))
    if (end >= text.length) break
    start = borderBefore(text, end - OVERLAP)
  }
  return parts
}

/** Returns the place itself if there is no white space nearby, but never splits a surrogate pair. */
function borderBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  const window = text.slice(at - 200, at)
  const space = window.search(/\s\S*$/)
  if (space >= 0) return at - 200 + space
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at
}
