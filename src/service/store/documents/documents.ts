import { sql } from 'kysely'
import type { ReadableFile } from '../../access/scopes.ts'
import { committing } from '../../db/pipelined-dialect.ts'
import type { Db, Tx } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'

export type ViewerStatus = 'Pending' | 'Processing' | 'Ready' | 'Failed' | 'Unsupported'

/** A document is content in a workspace, whatever files and versions have it. */
export interface DocumentKey {
  workspace_id: number
  blob_id: string
}

export interface Document extends DocumentKey {
  content_type: string
  status: ViewerStatus
  reason: string | null
  page_widths: number[]
  page_heights: number[]
  converted_blob_id: string | null
  converted_type: string | null
  infected: boolean | null
  scanned_at: string | null
}

const columns = sql`d.workspace_id, d.blob_id, d.content_type, d.status, d.reason, d.page_widths, d.page_heights,
  d.converted_blob_id, d.converted_type, d.infected, d.scanned_at`

export async function insertDocument(
  db: Db,
  { workspace_id, blob_id }: DocumentKey,
  content_type: string,
  { status, held }: { status: 'Pending' | 'Unsupported'; held: boolean },
): Promise<void> {
  await db.insertInto('documents').values({ workspace_id, blob_id, content_type, status, held }).execute()
}

/** A document as ingestion sees it. */
export type ReadDocument = Document & { has_text: boolean }

const hasText = sql`exists (
  select from document_terms t where t.workspace_id = d.workspace_id and t.blob_id = d.blob_id)`

/** Returns undefined if no version of any file of the workspace has the content any more. */
export async function findDocument(db: Db, { workspace_id, blob_id }: DocumentKey): Promise<ReadDocument | undefined> {
  const { rows } = await sql<ReadDocument>`
    select ${columns}, ${hasText} as has_text from documents d
    where d.workspace_id = ${workspace_id} and d.blob_id = ${blob_id}
      and exists (select from file_versions v where v.workspace_id = d.workspace_id and v.blob_id = d.blob_id)`.execute(
    db,
  )
  return rows[0]
}

/** The documents of all workspaces that share the content. */
export async function listSharing(db: Db, blobId: string): Promise<Document[]> {
  const { rows } = await sql<Document>`select ${columns} from documents d where d.blob_id = ${blobId}`.execute(db)
  return rows
}

/** Those of them that wait to be read or scanned. */
export async function listWaiting(db: Db, blobId: string): Promise<DocumentKey[]> {
  const { rows } = await sql<DocumentKey>`
    select workspace_id, blob_id from documents
    where blob_id = ${blobId} and (status in ('Pending', 'Processing') or held)`.execute(db)
  return rows
}

export type VersionDocument = Document & { version: number; title: string }

/** The document of one version of a file; without a number, of the current version. */
export async function findVersionDocument(
  db: Db,
  file: ReadableFile,
  version?: number,
): Promise<VersionDocument | undefined> {
  const { rows } = await sql<VersionDocument>`
    select ${columns}, v.version, f.title
    from files f
    join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id
      and v.version = coalesce(${version ?? null}::int, f.version)
    join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
    where f.workspace_id = ${file.folder.workspace.id} and f.id = ${file.id} and f.deleted_at is null`.execute(db)
  return rows[0]
}

/** Finds other content of the workspace with the same bytes and type that is Ready. */
export async function findTwin(db: Db, { workspace_id, blob_id }: DocumentKey): Promise<ReadDocument | undefined> {
  const { rows } = await sql<ReadDocument>`
    select ${columns}, ${hasText} as has_text
    from file_versions mine
    join file_versions v on v.workspace_id = mine.workspace_id and v.sha256 = mine.sha256
      and v.blob_id <> mine.blob_id and v.file_content_type = mine.file_content_type
    join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id and d.status = 'Ready'
    where mine.workspace_id = ${workspace_id} and mine.blob_id = ${blob_id} limit 1`.execute(db)
  return rows[0]
}

export type Change = Partial<Omit<Document, keyof DocumentKey | 'content_type'> & { infection: string; held: boolean }>

/**
 * Stores what became known of a document, also in the files whose current version it is. Copies lock the document: a
 * concurrent copy is either seen here or sees this change.
 */
export async function updateDocument(db: Db, key: DocumentKey, change: Change): Promise<void> {
  await transaction(db, (tx) => committing(tx, () => changeDocument(tx, key, change)))
}

/** The same within a transaction. Its statements are sent together. */
export async function changeDocument(tx: Tx, { workspace_id, blob_id }: DocumentKey, change: Change): Promise<void> {
  const changed = tx
    .updateTable('documents')
    .set({ ...change, updated_at: sql`now()` })
    .where('workspace_id', '=', workspace_id)
    .where('blob_id', '=', blob_id)
    .execute()
  await Promise.all([changed, showInFiles(tx, workspace_id, [blob_id])])
}

/** Repeats the state of documents in their files. */
export async function showInFiles(db: Db, workspaceId: number, blobIds: readonly string[]): Promise<void> {
  await sql`
    update files f set viewer_status = d.status, pages = cardinality(d.page_widths), infected = d.infected,
      held = d.held, damaged = d.damage is not null
    from file_versions v, documents d
    where v.blob_id = any(${blobIds}::text[]) and v.workspace_id = ${workspaceId}
      and d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
      and f.workspace_id = v.workspace_id and f.id = v.file_id and f.version = v.version`.execute(db)
}

/** Deletes the documents of content that is gone. */
export async function deleteDocuments(db: Db, blobIds: readonly string[]): Promise<void> {
  await sql`delete from documents where blob_id = any(${blobIds}::text[])`.execute(db)
}
