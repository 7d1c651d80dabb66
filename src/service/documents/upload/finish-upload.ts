import { continueUpload, enterUpload } from '../../access/enter/upload.ts'
import type { Workspace } from '../../access/scopes.ts'
import { resumeHash } from '../../blobs/running-hash.ts'
import type { Db } from '../../db/pool.ts'
import { unprocessable } from '../../base/errors.ts'
import type { FileCompact } from '../../store/files/file-columns.ts'
import { lockUpload, noteFile, type UploadRow } from '../../store/files/uploads.ts'
import { addContent, contentOf, fileAgain, type Means } from './receive.ts'
import { misplaced } from './receive-chunk.ts'

/**
 * Turns a complete upload into a file, within the caller's transaction. The hash was computed while the chunks arrived,
 * so the content is normally not read again. A repeated call returns the current state of the file.
 */
export async function finishUpload(db: Db, means: Means, workspace: Workspace, id: number): Promise<FileCompact> {
  const { blobs } = means
  const row = await lockUpload(db, await enterUpload(db, workspace, id))
  if (row.file_id !== null) return fileAgain(db, workspace, row.file_id)
  const upload = await continueUpload(db, workspace, id)

  const { part_id, size, received } = row
  if (received !== size) throw misplaced(received, 'upload_incomplete', { received, size })
  const sums = await sumsOf(row, means)
  if (row.sha256 && !row.sha256.equals(sums.sha256)) {
    throw unprocessable('sha256', 'same_sha256', { sha256: sums.sha256.toString('hex') })
  }
  const blob = { blob_id: part_id, size, ...sums, head: await blobs.parts.head(part_id, size) }
  const to = { workspace_id: workspace.id, folder_id: row.folder_id, file_name: row.file_name }
  const file = await addContent(db, workspace.actor, to, await contentOf(means, to, blob))
  await noteFile(db, upload, file.id)
  // Comes last, so that only the commit is left. If the commit fails, finishing again finds the blob.
  await blobs.parts.adopt(part_id, size)
  return file
}

async function sumsOf(row: UploadRow, { blobs }: Means): Promise<{ sha256: Buffer; crc32: number }> {
  return (await resumeHash(row, () => blobs.parts.read(row.part_id, row.received))).digest()
}
