import { sql } from 'kysely'
import { viewableAmong } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { isInDraft } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { folderColumns } from '../folders/folder-rows.ts'
import { numberedPath, outlinesAmong } from '../folders/outlines.ts'
import { shownSubfolders } from '../folders/subfolders.ts'
import { type FolderMeta, type FolderRow, toMeta } from '../folders/folder-rows.ts'
import { folderOperandsOf, parseQuestion, patternsOf } from './search-question.ts'
import { searchWords } from './search-words.ts'

interface Search {
  q: string
  page: number
  per_page: number
}

type FoundFolder = FolderMeta & { numbered_path: string }

type Listed = Omit<FolderRow, 'path_node'> & {
  place: number
  parent_path: string
  numbered_path: string
  in_draft: boolean
}

/**
 * Returns one page of the folders that the caller may view and whose names have all words, and the total number. Names
 * that begin with the search text come first, then shorter names.
 */
export async function searchFolders(
  db: Db,
  workspace: Workspace,
  { q, page, per_page }: Search,
): Promise<{ total: number; folders: FoundFolder[] }> {
  const question = parseQuestion(q)
  const operands = folderOperandsOf(question, workspace.id)
  if (operands.length === 0) return { total: 0, folders: [] }
  const beginning = `${searchWords(q).join(' ')}%`
  const { rows } = await sql<{ total: number } & (Listed | { id: null })>`
    with named as materialized (
      select id, id_path, name_words from folders
      where ${hasWords(workspace, operands)} and deleted_at is null and id <> 0
        and ' ' || name_words || ' ' like all (${patternsOf(question)}::text[])
    ), found as materialized (
      select * from named where id in (${viewableAmong(workspace, sql`named`)})
    ), listed as (
      select id, row_number() over (order by name_words like ${beginning} desc, length(name_words), id_path) as place
      from found order by place limit ${per_page} offset ${(page - 1) * per_page}
    )
    select (select count(*) from found) as total, f.*
    from (select) one
    left join (
      select l.place, ${folderColumns(shownSubfolders(workspace))}, (
        select '/' || coalesce(string_agg(a.name, '/' order by cardinality(a.id_path)), '') from folders a
        where a.workspace_id = f.workspace_id and a.id = any(f.id_path) and a.id not in (0, f.id)
      ) as parent_path, n.outline, ${numberedPath(workspace.id, sql`f.id_path`, sql`n.outline`)} as numbered_path,
      ${workspace.admin ? isInDraft(workspace.id, sql`f.id_path`) : sql`false`} as in_draft
      from listed l join folders f on f.workspace_id = ${workspace.id} and f.id = l.id
      join ${outlinesAmong(workspace, { ids: sql`array(select id from listed)` })} n on n.id = l.id
    ) f on true
    order by f.place`.execute(db)

  const listed = rows.filter((row): row is { total: number } & Listed => row.id !== null)
  return {
    total: rows[0]?.total ?? 0,
    folders: listed.map(({ in_draft, place: _place, numbered_path, ...row }) => ({
      ...toMeta(workspace, { ...row, draft: in_draft, path_node: false }, row.parent_path),
      numbered_path,
    })),
  }
}

/**
 * Condition for folders of the workspace with all operands, always by the index of their words: the subquery hides the
 * operands from the planner, and `is true` prevents access by the workspace.
 */
const hasWords = (workspace: Workspace, operands: string[]) =>
  sql`folder_terms(workspace_id, name_words) @@ (select ${operands.join(' & ')}::tsquery)
    and (workspace_id = ${workspace.id}) is true`
