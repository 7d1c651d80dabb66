import { type RawBuilder, sql } from 'kysely'
import type { FileKind, FileType } from '../../../contract/endpoints/files.ts'
import { protectionsIn, textLayerIn } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { isOfType, kindOf } from '../files/file-types.ts'
import { fileOutline, numberedPath, outlinesAmong } from '../folders/outlines.ts'
import { readableFolders } from '../rights/readable-folders.ts'
import {
  isBeginningOfTitles,
  operandsOf,
  parseQuestion,
  patternsOf,
  phrasePatternsOf,
  titleOperandsOf,
} from './search-question.ts'
import { type FileSnippet, listSnippets } from './search-snippets.ts'

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
  numbered_folder_path: string
  kind: FileKind
  /** Its number for the caller. */
  outline: string
  number_length: number
  snippet: FileSnippet | null
}

/** Up to this many matches are ranked by how often the words occur; of more matches, the newest come first. */
const MAX_RANKED = 400
/** Phrases are looked for in at most this many files that have all of their words: title matches, then the newest. */
const MAX_READ = 10_000

interface Search {
  q: string
  /** Searches only this folder and everything below it. */
  folder_id?: number | undefined
  type?: FileType | undefined
  /** A day, UTC. */
  changed_since?: string | undefined
  page: number
  per_page: number
}

/** Returns one page of the matching files that the caller may view, best first, and the total number. */
export async function searchFiles(
  db: Db,
  workspace: Workspace,
  { q, folder_id = 0, page, per_page, ...facts }: Search,
): Promise<{ total: number; files: FoundFile[] }> {
  const question = parseQuestion(q)
  const operands = operandsOf(question)
  if (operands.length === 0) return { total: 0, files: [] }
  const patterns = patternsOf(question)
  const inTitle = sql`' ' || e.title_words || ' ' like all (${patterns}::text[])`
  const isLetters = isBeginningOfTitles(question)
  const isMany = sql`(select total from total) > ${MAX_RANKED}`
  const { rows } = await sql<{ total: number } & (Listed | { id: null })>`
    with matching as materialized (
      select e.folder_id, ${isLetters ? inTitle : sql`false`} as in_title, array_agg(e.file_id) as file_ids
      from ${entriesWith(workspace, operands)} group by e.folder_id, in_title
    ), readable as materialized (
      select * from ${readableFolders(workspace, sql`matching`)} d where ${folder_id} = any(d.id_path)
    ), titled as materialized (
      ${withFacts(
        workspace,
        sql`select folder_id, file_ids from ${
          isLetters
            ? sql`(select * from matching where in_title)`
            : sql`(select e.folder_id, array_agg(e.file_id) as file_ids
          from ${entriesWith(workspace, titleOperandsOf(question))} and ${inTitle} group by e.folder_id)`
        } t
        where folder_id in (select id from readable)`,
        facts,
      )}
    ), viewable as (
      ${withFacts(
        workspace,
        sql`select folder_id, file_ids from matching where folder_id in (select id from readable)`,
        facts,
      )}
    ), found as materialized (
      ${withPhrases(workspace, phrasePatternsOf(question))}
    ), total as materialized (
      select coalesce(sum(cardinality(file_ids)), 0) as total from found
    ), ranked as (
      select e.file_id, e.folder_id, ${inTitle} as in_title,
        ts_rank('{0.1, 0.2, 0.4, 1}', e.terms, ${operands.join(' | ')}::tsquery)::float8 as rank, e.title_words
      from found cross join lateral unnest(found.file_ids) id
      join search_entries e on e.workspace_id = ${workspace.id} and e.file_id = id
      where not ${isMany}
      union all
      select id, folder_id, true, id, '' from titled cross join lateral unnest(file_ids) id where ${isMany}
      union all
      select id, folder_id, false, id, '' from found cross join lateral unnest(file_ids) id
      where ${isMany} and (select coalesce(sum(cardinality(file_ids)), 0) from titled) < ${page * per_page}
        and id not in (select unnest(file_ids) from titled)
    ), listed as (
      select * from ranked order by in_title desc, rank desc, title_words, file_id
      limit ${per_page} offset ${(page - 1) * per_page}
    )
    select total.total, f.id, f.title, f.file_name, f.file_content_type, f.index, f.folder_id, d.name as folder_name,
      f.created_at, f.updated_at, f.file_size::text, f.blob_id, ${folderPath(workspace)} as folder_path,
      ${numberedPath(workspace.id, sql`d.id_path`, sql`n.outline`)} as numbered_folder_path,
      ${kindOf(sql`f.file_content_type`)} as kind, ${fileOutline} as outline, f.number_length,
      (select p.drm or p.watermark or t.text_layer <> 'select'
        from ${protectionsIn(workspace, sql`d.id_path`, 'view')} p cross join ${textLayerIn(workspace, sql`d.id_path`)} t
      ) as is_protected
    from total
    left join (listed
      join files f on f.workspace_id = ${workspace.id} and f.id = listed.file_id
      join readable d on d.id = listed.folder_id
      join ${outlinesAmong(workspace, { ids: sql`array(select folder_id from listed)` })} n on n.id = d.id) on true
    order by listed.in_title desc, listed.rank desc, listed.title_words, listed.file_id`.execute(db)

  const listed = rows.filter((row): row is { total: number } & Listed => row.id !== null)
  // A snippet would bypass the mark or seal of the pages: it may be of text that no page shows. It takes the right to text too.
  const blobs = listed.filter(({ is_protected }) => !is_protected).map(({ blob_id }) => blob_id)
  const snippets = await listSnippets(db, workspace, blobs, patterns)
  return {
    total: rows[0]?.total ?? 0,
    files: listed.map(({ blob_id, is_protected, ...file }) => ({
      ...file,
      snippet: is_protected ? null : (snippets.get(blob_id) ?? null),
    })),
  }
}

type Listed = Omit<FoundFile, 'snippet'> & { blob_id: string; is_protected: boolean }

/**
 * Selects the entries of the workspace that have all operands, always by the index. The planner prefers to read the
 * terms of all entries one by one, because it underestimates that cost. The subquery hides the operands from the
 * planner, and `is true` prevents access by the workspace, which is also a term.
 */
function entriesWith(workspace: Workspace, operands: string[]): RawBuilder<unknown> {
  return sql`search_entries e where e.terms @@ (select ${[`'/${workspace.id}'`, ...operands].join(' & ')}::tsquery)
    and (e.workspace_id = ${workspace.id}) is true and not e.is_deleted`
}

/** Filters `(folder_id, file_ids)` by type and date of change. Reads the files only for a given filter. */
function withFacts(
  workspace: Workspace,
  rows: RawBuilder<unknown>,
  { type, changed_since }: Pick<Search, 'type' | 'changed_since'>,
): RawBuilder<unknown> {
  if (type === undefined && changed_since === undefined) return rows
  const ofType = type === undefined ? sql`true` : isOfType(sql`f.file_content_type`, type)
  const since =
    changed_since === undefined ? sql`true` : sql`f.updated_at >= ${changed_since}::timestamp at time zone 'UTC'`
  return sql`
    select f.folder_id, array_agg(f.id) as file_ids
    from (${rows}) r cross join lateral unnest(r.file_ids) listed (id)
    join files f on f.workspace_id = ${workspace.id} and f.id = listed.id
    where ${ofType} and ${since} group by f.folder_id`
}

/** `(folder_id, file_ids)` of the viewable matches that have each phrase in their title or text. */
function withPhrases(workspace: Workspace, patterns: string[]): RawBuilder<unknown> {
  if (patterns.length === 0) return sql`select * from viewable`
  return sql`
    select e.folder_id, array_agg(e.file_id) as file_ids
    from (
      select id, id in (select unnest(file_ids) from titled) as in_title
      from viewable v cross join lateral unnest(v.file_ids) id
      order by in_title desc, id desc limit ${MAX_READ}
    ) m
    join search_entries e on e.workspace_id = ${workspace.id} and e.file_id = m.id
    join files f on f.workspace_id = e.workspace_id and f.id = e.file_id
    where m.in_title or not exists (
      select from unnest(${patterns}::text[]) pattern
      where ' ' || e.title_words || ' ' not like pattern and not exists (
        select from document_texts t
        where t.workspace_id = f.workspace_id and t.blob_id = f.blob_id and t.words like pattern))
    group by e.folder_id`
}

function folderPath(workspace: Workspace) {
  return sql`(select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
    where a.workspace_id = ${workspace.id} and a.id = any(d.id_path) and a.id <> 0)`
}
