import { sql } from 'kysely'
import type { UploadableFolder } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { currentTraceparent } from '../../../wire/traces/span.ts'
import { notFound } from '../../base/errors.ts'
import { type Recording, recordingOf, recordOf } from '../audit/activities.ts'
import { created } from '../audit/audit.ts'
import { lockedPlace, type Place } from '../folders/folders.ts'
import { type FileCompact, fileCompactColumns } from './file-columns.ts'
import { keepKey } from './upload-keys.ts'
import type { NewContent } from './files.ts'

interface NewFile extends Recording, Place {
  file_name: string
  file_content_type: string
  viewer_status: string
  held: boolean
  is_retry: boolean
  digest: Buffer | null
  blob_id: string
  size: number
  sha256: Buffer
  crc32: number
  request_id: string | null
  traceparent: string | null
}

/** Without an id if the name is in use. */
type Inserted = Omit<FileCompact, 'id'> & { id: number | null }

const insertionOf = (isKeyed: boolean) =>
  statement<NewFile, Inserted>(
    (values) => sql`
    with ${lockedPlace(values)}, subject as (
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id,
        viewer_status, held)
      select workspace_id, id, ${values.file_name}, ${values.file_name}, next_file_index(workspace_id, id), ${values.size},
        ${values.file_content_type}, ${values.sha256}, ${values.blob_id}, ${values.viewer_status}, ${values.held}
      from locked
      on conflict (workspace_id, folder_id, file_name) where deleted_at is null do nothing
      returning *
    ), versioned as (
      insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
        uploaded_by_id, is_retry)
      select workspace_id, id, version, blob_id, file_size, file_content_type, sha256, ${values.crc32}, ${values.user_id},
        ${values.is_retry}
      from subject
    )${isKeyed ? keepKey(sql`subject`, values.digest) : sql``}, document as (
      insert into documents (workspace_id, blob_id, content_type, status, held)
      select workspace_id, blob_id, file_content_type, viewer_status, held from subject
    ), job as (
      insert into jobs (kind, payload)
      select 'ingest', jsonb_build_object('workspace_id', workspace_id, 'blob_id', blob_id, 'user_id', ${values.user_id}::int,
        'request_id', ${values.request_id}::text, 'traceparent', ${values.traceparent}::text)
      from subject
    ), ${recordOf(values)}
    select ${fileCompactColumns} from locked left join subject f on true`,
  )

const insertions = { plain: insertionOf(false), keyed: insertionOf(true) }

/**
 * Adds a file at the end of the folder, with its document, its ingestion and the record of the act. Returns undefined and
 * changes nothing if the folder has a file of that name. Fails if a try with the same digest was stored (`isStoredAlready`).
 */
export async function insertFile(
  db: Db,
  { id: folder_id, workspace }: UploadableFolder,
  { blob, is_retry = false, digest, ...content }: NewContent,
): Promise<FileCompact | undefined> {
  const params = { title: content.file_name }
  const changes = created({ ...params, folder_id, file_size: String(blob.size) })
  const insertion = digest ? insertions.keyed : insertions.plain
  const [row] = await insertion(db, {
    organization_id: workspace.organization_id,
    workspace_id: workspace.id,
    folder_id,
    request_id: workspace.actor.request_id,
    traceparent: currentTraceparent(),
    is_retry,
    digest: digest ?? null,
    ...content,
    ...blob,
    ...recordingOf(workspace, { act: 'file_added', params, subject_id: null, changes }),
  })
  if (!row) throw notFound()
  return row.id === null ? undefined : { ...row, id: row.id }
}
