import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ManagedFile, ReadableFile, UploadableFolder, Workspace } from '../../access/scopes.ts'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { type FileCompact, fileCompactColumns } from './file-columns.ts'
import { keepKey } from './upload-keys.ts'
import { lockFolder, lockTree } from '../folders/folders.ts'
import { fileOutline, outlinesAmong } from '../folders/outlines.ts'
import { readableFolders } from '../rights/readable-folders.ts'

export interface FileRow extends FileCompact {
  /** Its number for the caller. */
  outline: string
  number_length: number
  /** Why the file cannot be shown, if its document has a reason. */
  reason: string | null
  /** Lower-case hex. */
  sha256: string
}

/** @throws ApiError 404 when the file was deleted meanwhile */
export async function getFile(db: Db, { id, folder }: ReadableFile): Promise<FileRow> {
  const { workspace } = folder
  // A file that was moved is not in this folder any more.
  const ids = sql`array(select folder_id from files where workspace_id = ${workspace.id} and id = ${id})`
  const { rows } = await sql<FileRow>`
    select ${fileCompactColumns}, ${fileOutline} as outline, f.number_length, encode(f.sha256, 'hex') as sha256, d.reason from files f
    cross join ${outlinesAmong(workspace, { ids })} n
    left join documents d on d.workspace_id = f.workspace_id and d.blob_id = f.blob_id
    where f.workspace_id = ${workspace.id} and f.id = ${id} and f.deleted_at is null`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Returns files in the order of the ids, without files that the caller cannot view. */
export async function listFilesByIds(db: Db, workspace: Workspace, ids: readonly number[]): Promise<FileCompact[]> {
  const { rows } = await sql<FileCompact>`
    with wanted as (
      select f.*, w.place from unnest(${ids}::int[]) with ordinality w (id, place)
      join files f on f.workspace_id = ${workspace.id} and f.id = w.id and f.deleted_at is null
    )
    select ${fileCompactColumns} from wanted f
    join ${readableFolders(workspace, sql`wanted`)} d on d.id = f.folder_id
    order by f.place`.execute(db)
  return rows
}

export interface NewContent {
  file_name: string
  file_content_type: string
  viewer_status: 'Pending' | 'Unsupported'
  /** The file waits for the scanner. */
  held: boolean
  blob: StoredBlob
  /** A retry of an upload whose first attempt may still arrive. */
  is_retry?: boolean
  /** When the upload arrived, by `performance.now()`. */
  arrived?: number | undefined
  /** Names the upload, the same for each of its tries (`upload-keys.ts`). */
  digest?: Buffer | undefined
}

/**
 * Adds a file at the end of the folder, or a version to the file of that name. Requires the lock of the folder
 * (`lockForFiles`), so that uploads of one name wait for each other. `follows_retry`: the caller stored the same bytes
 * before, in a request that was a retry. The statement fails if a try with the same digest was stored (`isStoredAlready`).
 */
export async function insertContent(
  db: Db,
  folder: UploadableFolder,
  content: NewContent,
): Promise<FileCompact & { follows_retry: boolean }> {
  const { workspace } = folder
  const { blob } = content
  const { rows } = await sql<FileCompact & { follows_retry: boolean }>`
    with f as (
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id,
        viewer_status, held)
      values (${workspace.id}, ${folder.id}, ${content.file_name}, ${content.file_name}, ${nextIndex(workspace, folder.id)},
        ${blob.size}, ${content.file_content_type}, ${blob.sha256}, ${blob.blob_id}, ${content.viewer_status}, ${content.held})
      on conflict (workspace_id, folder_id, file_name) where deleted_at is null do update set
        version = files.version + 1, file_size = excluded.file_size, file_content_type = excluded.file_content_type,
        sha256 = excluded.sha256, blob_id = excluded.blob_id, viewer_status = excluded.viewer_status, pages = 0,
        infected = null, damaged = false, held = excluded.held, updated_at = now()
      returning *
    ), versioned as (
      insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
        uploaded_by_id, is_retry)
      select workspace_id, id, version, blob_id, file_size, file_content_type, sha256, ${blob.crc32}::bigint,
        ${workspace.actor.id}::int, ${content.is_retry ?? false}::boolean from f
    )${content.digest ? keepKey(sql`f`, sql.val(content.digest)) : sql``}
    select ${fileCompactColumns}, exists (
      select from file_versions v
      where v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version - 1 and v.is_retry
        and v.sha256 = f.sha256 and v.uploaded_by_id = ${workspace.actor.id}
    ) as follows_retry
    from f`.execute(db)
  if (!rows[0]) throw new Error('an insert gave no row')
  return rows[0]
}

/** How often the age of a version is asked for if the replies take too long to tell. */
const MOST_LOOKS = 5

/**
 * Whether the former version of a file was stored after `since`, by `performance.now()`. Compares how long ago both were,
 * so that the clocks of this machine and the database need not agree.
 */
export async function wasStoredSince(
  db: Db,
  { id: workspaceId }: Workspace,
  { id, version }: Pick<FileCompact, 'id' | 'version'>,
  since: number,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    const asked = performance.now()
    const { rows } = await sql<{ ago: number }>`
      select extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as ago from file_versions
      where workspace_id = ${workspaceId} and file_id = ${id} and version = ${version - 1}`.execute(db)
    const ago = rows[0]?.ago ?? Infinity
    if (ago <= asked - since) return true
    if (ago > performance.now() - since) return false
    if (look === MOST_LOOKS) return true
  }
}

/** The file of that name, if it has these bytes. */
export async function findContent(
  db: Db,
  folder: UploadableFolder,
  { file_name, blob }: NewContent,
): Promise<FileCompact | undefined> {
  const { rows } = await sql<FileCompact>`
    select ${fileCompactColumns} from files f
    where f.workspace_id = ${folder.workspace.id} and f.folder_id = ${folder.id} and f.file_name = ${file_name}
      and f.sha256 = ${blob.sha256} and f.deleted_at is null`.execute(db)
  return rows[0]
}

/** The index behind the folder's last file. */
export function nextIndex(workspace: Workspace, folderId: number) {
  return sql`(select coalesce(max(index), 0) + 1 from files
    where workspace_id = ${workspace.id} and folder_id = ${folderId} and deleted_at is null)`
}

/**
 * Locks the files of folders until the end of the transaction, always in the same order.
 * @returns the folders' names
 */
export async function lockForFiles(
  db: Db,
  workspace: Pick<Workspace, 'organization_id' | 'id'>,
  ...folderIds: number[]
): Promise<Map<number, string>> {
  const ids = [...new Set(folderIds)].sort((a, b) => a - b)
  // Sent together, but granted in this order.
  const [, ...folders] = await Promise.all([
    lockTree(db, workspace, 'share'),
    ...ids.map((id) => lockFolder(db, workspace, id)),
  ])
  return new Map(ids.map((id, at) => [id, folders[at]?.name ?? '']))
}

/** A file as read under the locks of its folder and of another one: it may have been renamed while the act waited. */
export interface LockedFile {
  title: string
  file_name: string
  version: number
  index: number
  infected: boolean | null
  /** Names of the locked folders. */
  folders: Map<number, string>
}

/** @throws ApiError 404 if the file was moved or deleted meanwhile */
export async function lockFile(db: Db, file: ManagedFile, ...otherFolders: number[]): Promise<LockedFile> {
  const { workspace, id: folderId } = file.folder
  const reading = db
    .selectFrom('files')
    .select(['title', 'file_name', 'version', 'index', 'infected'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', file.id)
    .where('folder_id', '=', folderId)
    .where('deleted_at', 'is', null)
  // Sent together, but read under the locks.
  const [folders, found] = await Promise.all([
    lockForFiles(db, workspace, folderId, ...otherFolders),
    reading.executeTakeFirst(),
  ])
  if (!found) throw notFound()
  return { ...found, folders }
}

/** Requires the lock of the file. */
export async function renameFile(db: Db, file: ManagedFile, title: string): Promise<void> {
  await db
    .updateTable('files')
    .set({ title, updated_at: sql`now()` })
    .where('workspace_id', '=', file.folder.workspace.id)
    .where('id', '=', file.id)
    .execute()
}

/** Gives a file another index in its folder; the others close up. Beyond the end means the end. Requires its lock. */
export async function reindexFile(db: Db, file: ManagedFile, index: number): Promise<void> {
  const { workspace, id: folderId } = file.folder
  await sql`
    with siblings as (
      select id, index, (count(*) over ())::int as total from files
      where workspace_id = ${workspace.id} and folder_id = ${folderId} and deleted_at is null
    ), move as (
      select index as source, least(${index}::int, total) as target from siblings where id = ${file.id}
    )
    update files f set
      index = case
        when f.id = ${file.id} then move.target
        when move.source < move.target then f.index - 1
        else f.index + 1 end,
      updated_at = case when f.id = ${file.id} then now() else f.updated_at end
    from move
    where f.workspace_id = ${workspace.id} and f.folder_id = ${folderId} and f.deleted_at is null
      and f.index between least(source, target) and greatest(source, target)`.execute(db)
}

/** Deletes a file reversibly, which leaves a gap. @throws ApiError 404 if it was moved or deleted meanwhile */
export async function deleteFile(
  db: Db,
  file: ManagedFile,
): Promise<{ deleted_at: string; deletion_id: string | null; title: string; version: number; index: number }> {
  const { workspace, id: folderId } = file.folder
  const deletion = db
    .updateTable('files')
    .set({ deleted_at: sql`now()`, deletion_id: randomUUID(), deleted_by_id: workspace.actor.id })
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', file.id)
    .where('folder_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .returning(['index', 'deleted_at', 'deletion_id', 'title', 'version'])
  // Sent together, but done under the locks.
  const [, gone] = await Promise.all([lockForFiles(db, workspace, folderId), deletion.executeTakeFirst()])
  if (!gone?.deleted_at) throw notFound()
  return { ...gone, deleted_at: gone.deleted_at }
}

/** Moves up the files behind a freed index. */
export async function closeGap(db: Db, workspace: Workspace, folderId: number, index: number): Promise<void> {
  await sql`
    update files set index = index - 1
    where workspace_id = ${workspace.id} and folder_id = ${folderId} and deleted_at is null and index > ${index}`.execute(
    db,
  )
}
