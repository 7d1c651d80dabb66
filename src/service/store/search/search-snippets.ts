import { sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { nextTurn } from '../../base/turns.ts'
import { snippetOf, type Snippet } from './snippet.ts'

/** `is_partial`: other parts of the text have matches as well. */
export type FileSnippet = Snippet & { is_partial: boolean }

/** Returns a snippet per blob, from the part of its text in which most patterns occur; none without a match. */
export async function listSnippets(
  db: Db,
  workspace: Workspace,
  blobIds: readonly string[],
  patterns: readonly string[],
): Promise<Map<string, FileSnippet>> {
  const { rows } = await sql<{ blob_id: string; text: string; is_partial: boolean }>`
    select found.blob_id, found.text, found.is_partial
    from unnest(${blobIds}::text[]) b (blob_id)
    cross join lateral (
      select t.blob_id, t.text, count(*) over () > 1 as is_partial from document_texts t
      where t.workspace_id = ${workspace.id} and t.blob_id = b.blob_id and t.words like any (${patterns}::text[])
      order by (select count(*) from unnest(${patterns}::text[]) pattern where t.words like pattern) desc, t.part
      limit 1
    ) found`.execute(db)
  const snippets = new Map<string, FileSnippet>()
  for (const { blob_id, text, is_partial } of rows) {
    const snippet = snippetOf(text, patterns)
    if (snippet) snippets.set(blob_id, { ...snippet, is_partial })
    // Lets other requests continue between two texts.
    await nextTurn()
  }
  return snippets
}
