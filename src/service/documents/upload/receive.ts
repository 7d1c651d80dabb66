import { readSoon } from '../../base/read-soon.ts'
import type { IncomingMessage } from 'node:http'
import { readAhead } from '../../access/enter/arrival.ts'
import { openFolderForUpload } from '../../access/enter/folder.ts'
import { enterWorkspace } from '../../access/enter/workspace.ts'
import type { UploadableFolder, Workspace } from '../../access/scopes.ts'
import type { Actor } from '../../auth/actor.ts'
import type { BlobStore, StoredBlob } from '../../blobs/blob-store.ts'
import { arriving } from '../../blobs/write-file.ts'
import type { Config } from '../../base/config.ts'
import { committing } from '../../db/pipelined-dialect.ts'
import { retrying, transaction } from '../../db/transaction.ts'
import type { Db } from '../../db/pool.ts'
import { ApiError, notFound, refusal } from '../../base/errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type Activity, record } from '../../store/audit/activities.ts'
import { insertDocument } from '../../store/documents/documents.ts'
import { created } from '../../store/audit/audit.ts'
import type { FileCompact } from '../../store/files/file-columns.ts'
import {
  findContent,
  insertContent,
  listFilesByIds,
  lockForFiles,
  type NewContent,
  wasStoredSince,
} from '../../store/files/files.ts'
import { insertFile } from '../../store/files/new-file.ts'
import { digestOf, findStored, isStoredAlready, rememberKey } from '../../store/files/upload-keys.ts'
import { isViewable } from '../formats.ts'
import { detectType } from './detect-type.ts'

/** A body of fewer bytes is kept in memory. */
const SMALL_BYTES = 64 * 1024

export interface Means {
  db: Db
  blobs: BlobStore
  clock: () => Date
  config: Pick<Config, 'maxUploadBytes' | 'scanRequired'>
}

interface Destination {
  workspace_id: number
  folder_id: number
  file_name: string
  /** Whether a file that already has these bytes is left unchanged. */
  unless_same?: boolean
  /** Chosen by the client, the same for all tries of an upload: only one of them is stored. */
  idempotency_key?: string | undefined
}

/** Stores an upload first, so that the statement or transaction that creates the file is short. */
export async function receive(
  { db, blobs, clock, config }: Means,
  entered: UploadableFolder,
  destination: Destination,
  stream: IncomingMessage,
): Promise<FileCompact> {
  const { actor } = entered.workspace
  const whole = await readSoon(stream, SMALL_BYTES)
  const blob = await blobs.write(whole ?? arriving(stream), config.maxUploadBytes)
  try {
    const content = await contentOf({ config }, destination, blob)
    // A node that was frozen or cut off reads uploads late, which their clients may have sent again to another node.
    if (stream.socket.destroyed) throw refusal('client_gone')
    const present = { ...actor, now: clock() }
    // Other uploads may have taken hours, so check the rights again as of now.
    const folder = whole ? entered : await enterAgain(db, present, destination)
    return await storeOnce({ db, blobs, actor: present }, folder, destination, content)
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded, so the sweep decides.
    if (error instanceof ApiError) await blobs.remove(blob.blob_id)
    throw error
  }
}

/** Stores one of the tries of an upload that has a key; the others get the file as it is by then. */
async function storeOnce(
  { db, blobs, actor }: Pick<Means, 'db' | 'blobs'> & { actor: Actor },
  folder: UploadableFolder,
  destination: Destination,
  content: NewContent,
): Promise<FileCompact> {
  const { workspace } = folder
  const { idempotency_key, unless_same: is_retry = false } = destination
  const { file_name, blob } = content
  const digest = idempotency_key && digestOf(folder, { file_name, sha256: blob.sha256, idempotency_key })
  const attempt = { ...content, is_retry, arrived: actor.arrived, ...(digest && { digest }) }
  try {
    return (
      (await retrying(() => insertFile(db, folder, attempt))) ??
      (await addToName({ db, blobs }, actor, destination, attempt))
    )
  } catch (error) {
    if (!digest || !isStoredAlready(error)) throw error
    await blobs.remove(blob.blob_id)
    return fileAgain(db, workspace, await findStored(db, workspace, digest))
  }
}

/** A repeated call must not reveal a file that the caller may not see. @throws ApiError 404 also if it was deleted since */
export async function fileAgain(db: Db, workspace: Workspace, fileId: number | undefined): Promise<FileCompact> {
  const [file] = fileId === undefined ? [] : await listFilesByIds(db, workspace, [fileId])
  if (!file) throw notFound()
  return file
}

async function enterAgain(db: Db, actor: Actor, { workspace_id, folder_id }: Destination): Promise<UploadableFolder> {
  await readAhead(db, actor, { workspace_id, folder_id })
  return openFolderForUpload(db, await enterWorkspace(db, actor, workspace_id), folder_id)
}

/** Adds content to a folder that has, or just had, a file of that name. */
async function addToName(
  { db, blobs }: Pick<Means, 'db' | 'blobs'>,
  actor: Actor,
  destination: Destination,
  content: NewContent,
): Promise<FileCompact> {
  const { file, added } = await transaction(db, (tx) => addUnlessSame(tx, actor, destination, content)).catch(
    async (error: unknown) => {
      if (!(error instanceof Overtaken)) throw error
      // Act as if this try had come first, and the second one had left the file unchanged.
      const again = { ...destination, unless_same: true }
      return transaction(db, (tx) => addUnlessSame(tx, actor, again, content))
    },
  )
  if (!added) await blobs.remove(content.blob.blob_id)
  return file
}

/** A second try of the same upload finished first. */
class Overtaken extends Error {}

/** The lock makes a second try wait for the first one, so that it sees the file that the first one created. */
async function addUnlessSame(db: Db, actor: Actor, to: Destination, content: NewContent) {
  if (to.unless_same) {
    const workspace = await enterWorkspace(db, actor, to.workspace_id)
    await lockForFiles(db, workspace, to.folder_id)
    const same = await findContent(db, await openFolderForUpload(db, workspace, to.folder_id), content)
    if (same && content.digest) await rememberKey(db, workspace, content.digest, same.id)
    if (same) return { file: same, added: false }
  }
  return { file: await addContent(db, actor, to, content, (last) => committing(db, last)), added: true }
}

/** Describes the content of a blob, with the type detected from its first bytes and its file name. */
export async function contentOf(
  { config }: Pick<Means, 'config'>,
  { file_name }: Destination,
  blob: StoredBlob,
): Promise<NewContent> {
  const file_content_type = await detectType(blob.head, file_name)
  const viewer_status = isViewable(file_content_type) ? 'Pending' : 'Unsupported'
  return { file_name, file_content_type, viewer_status, blob, held: config.scanRequired }
}

/**
 * Adds a blob as a file or a new version, with all that follows from it, within the caller's transaction. `finish` sends
 * the last statements.
 */
export async function addContent(
  db: Db,
  actor: Actor,
  to: Destination,
  content: NewContent,
  finish: (last: () => Promise<unknown>) => Promise<unknown> = (last) => last(),
): Promise<FileCompact> {
  const own = { ...actor }
  // Sent together: the rights are those under the locks.
  await Promise.all([
    lockForFiles(db, { organization_id: actor.organization_id, id: to.workspace_id }, to.folder_id),
    readAhead(db, own, { workspace_id: to.workspace_id, folder_id: to.folder_id }),
  ])
  const workspace = await enterWorkspace(db, own, to.workspace_id)
  const folder = await openFolderForUpload(db, workspace, to.folder_id)

  const { follows_retry, ...file } = await insertContent(db, folder, content)
  if (follows_retry && content.arrived !== undefined && (await wasStoredSince(db, workspace, file, content.arrived)))
    throw new Overtaken()
  const key = { workspace_id: workspace.id, blob_id: content.blob.blob_id }
  const act: Activity = {
    act: file.version === 1 ? 'file_added' : 'file_updated',
    params: { title: file.title },
    subject_id: file.id,
    changes:
      file.version === 1
        ? created({ title: file.title, folder_id: folder.id, file_size: file.file_size })
        : { version: { before: file.version - 1, after: file.version }, file_size: { after: file.file_size } },
  }
  const { file_content_type, viewer_status: status, held } = content
  await finish(() =>
    Promise.all([
      insertDocument(db, key, file_content_type, { status, held }),
      enqueue(db, 'ingest', { ...key, user_id: actor.id }, actor.request_id),
      record(db, workspace, act),
    ]),
  )
  return file
}
