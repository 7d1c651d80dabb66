import { sql } from 'kysely'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { readableFolders } from './readable-folders.ts'

export interface FoundFile {
  id: number
  title: string
  file_name: string
  file_content_type: string
  index: number
  folder_id: number
  folder_name: string
  created_at: string
  updated_at: string
  file_size: string
  folder_path: string
}

/** What is searched for: every phrase must occur, the last one may be the beginning of a longer word. */
interface Question {
  phrases: string[]
  last_is_prefix: boolean
}

/** `annual "share purchase" agr` -> annual, share purchase, agr…; an unclosed quote is none. */
export function parseQuestion(q: string): Question {
  const parts = [...q.replace(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)]
  return { phrases: parts.map((part) => part[1] ?? part[0]), last_is_prefix: parts.at(-1)?.[1] === undefined }
}

/** One page of the files the caller may view that match, best first, and how many there are in all. */
export async function searchFiles(
  db: Db,
  workspace: Workspace,
  { q, page, per_page }: { q: string; page: number; per_page: number },
): Promise<{ total: number; files: FoundFile[] }> {
  const { rows } = await sql<{ total: number } & (FoundFile | { id: null })>`
    with question as (${toTsquery(workspace, parseQuestion(q))}),
    matching as materialized (
      select f.id, f.folder_id, ts_rank(f.words, question.words) as rank, f.title
      from files f, question
      where f.workspace_id = ${workspace.id} and f.deleted_at is null and f.words @@ question.words
    ), found as materialized (
      select m.id, m.rank, m.title, d.name as folder_name, d.id_path
      from matching m join ${readableFolders(workspace, sql`matching`)} d on d.id = m.folder_id
    ), listed as (
      select * from found order by rank desc, title, id limit ${per_page} offset ${(page - 1) * per_page}
    )
    select total.total, f.id, f.title, f.file_name, f.file_content_type, f.index, f.folder_id, listed.folder_name,
      f.created_at, f.updated_at, f.file_size::text, ${folderPath(workspace)} as folder_path
    from (select count(*) as total from found) total
    left join (listed join files f on f.workspace_id = ${workspace.id} and f.id = listed.id) on true
    order by listed.rank desc, listed.title, listed.id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    files: rows.filter((row): row is { total: number } & FoundFile => row.id !== null),
  }
}

/**
 * One row with the text search question. `search_words` leaves no punctuation, so nothing that was typed can be an
 * operator.
 */
function toTsquery(workspace: Workspace, { phrases, last_is_prefix }: Question) {
  return sql`
    select ${`'/${workspace.id}'`}::tsquery && asked.words as words
    from (
      select to_tsquery('simple', string_agg(replace(part.words, ' ', ' <-> ')
        || case when part.place = ${phrases.length} and ${last_is_prefix} then ':*' else '' end, ' & ')) as words
      from (select place, trim(regexp_replace(search_words(phrase), '\\s+', ' ', 'g')) as words
        from unnest(${phrases}::text[]) with ordinality p (phrase, place)) part
      where part.words <> ''
    ) asked
    where numnode(asked.words) > 0`
}

function folderPath(workspace: Workspace) {
  return sql`(select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
    where a.workspace_id = ${workspace.id} and a.id = any(listed.id_path) and a.id <> 0)`
}
