import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { ContinuedUpload, Upload, Workspace } from '../scopes.ts'
import { openFolderForUpload } from './folder.ts'

/** @throws ApiError 404 unless the caller began the upload, whatever the caller's role, or if the upload has expired */
export async function enterUpload(db: Db, workspace: Workspace, uploadId: number): Promise<Upload> {
  const upload = await db
    .selectFrom('uploads')
    .select(['id', 'folder_id'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', uploadId)
    .where('user_id', '=', workspace.actor.id)
    .where('expires_at', '>', workspace.actor.now.toISOString())
    .executeTakeFirst()
  if (!upload) throw notFound()
  return { ...upload, workspace } as Upload
}

/** @throws ApiError as `enterUpload` does, and as `openFolderForUpload` does for its folder */
export async function continueUpload(db: Db, workspace: Workspace, uploadId: number): Promise<ContinuedUpload> {
  const upload = await enterUpload(db, workspace, uploadId)
  await openFolderForUpload(db, workspace, upload.folder_id)
  return upload as ContinuedUpload
}
