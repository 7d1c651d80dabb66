import { sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { nextTurn } from '../../base/turns.ts'
import { snippetOf, type Snippet } from './snippet.ts'

/** Returns a snippet per blob, from the part of its text in which most patterns occur; none without a match. */
export async function listSnippets(
  db: Db,
  workspace: Workspace,
  blobIds: readonly string[],
  patterns: readonly string[],
): Promise<Map<string, Snippet>> {
  const { rows } = await sql<{ blob_id: string; text: string }>`
    select found.blob_id, found.text
    from unnest(${blobIds}::text[]) b (blob_id)
    cross join lateral (
      select t.blob_id, t.text from document_texts t
      where t.workspace_id = ${workspace.id} and t.blob_id = b.blob_id and t.words like any (${patterns}::text[])
      order by (select count(*) from unnest(${patterns}::text[]) pattern where t.words like pattern) desc, t.part
      limit 1
    ) found`.execute(db)
  const snippets = new Map<string, Snippet>()
  for (const { blob_id, text } of rows) {
    const snippet = snippetOf(text, patterns)
    if (snippet) snippets.set(blob_id, snippet)
    // Lets other requests continue between two texts.
    await nextTurn()
  }
  return snippets
}
