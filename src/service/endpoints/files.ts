import { type FeedAct, sentenceOf, type Told } from '../../contract/acts.ts'
import { type Api, api } from '../../contract/index.ts'
import { enterFile, manageFile } from '../access/enter/file.ts'
import { manageFolder, openFolderForUpload } from '../access/enter/folder.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { ManagedFile, ManagedFolder, Workspace } from '../access/scopes.ts'
import { findReading, openForFinding, openForSelecting } from '../access/read-text.ts'
import { committing, together } from '../db/pipelined-dialect.ts'
import type { Db } from '../db/pool.ts'
import { openForViewing } from '../access/view-pages.ts'
import { notFound, refusal } from '../base/errors.ts'
import { fromReplica, type Handlers, type Services } from '../http/context.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { hitsIn, textOf } from '../content/page-text.ts'
import { mapped, pagesOf } from '../content/viewer-image.ts'
import { codedReason } from '../documents/pages/coded-reason.ts'
import { reasonOf } from '../documents/pages/pages-of.ts'
import { receive } from '../documents/upload/receive.ts'
import { type Activity, record, recordLast } from '../store/audit/activities.ts'
import { created, removed } from '../store/audit/audit.ts'
import { findVersionDocument } from '../store/documents/documents.ts'
import { type Arrival, type Conflict, copyFile, moveFile } from '../store/files/file-copy.ts'
import { keepExtension } from '../store/files/file-names.ts'
import { recordView } from '../store/files/file-views.ts'
import { searchFiles } from '../store/search/file-search.ts'
import { listVersions } from '../store/files/file-versions.ts'
import {
  closeGap,
  deleteFile,
  getFile,
  listFilesByIds,
  lockFile,
  reindexFile,
  renameFile,
} from '../store/files/files.ts'
import type { Itinerary } from '../store/folders/folders.ts'
import { undoFileChange } from '../store/trash/undo-transfer.ts'
import { insertUndo } from '../store/trash/undos.ts'
import { listSeeingGroups } from '../store/audit/recent-activities.ts'
import { mapInTurns } from '../base/turns.ts'

export const files: Handlers<Api['files']> = {
  search: fromReplica(async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const { total, files } = await searchFiles(db, workspace, query)
    setHeaders(pageHeaders(api.files.search, query, total))
    return files
  }),

  upload: async ({ db, actor, services, body }, { query }) => {
    // Checked before the first byte is read: a user who may not upload must not make the service read the body.
    const folder = await openFolderForUpload(db, await enterWorkspace(db, actor, query.workspace_id), query.folder_id)
    const limit = services.config.maxUploadBytes
    if ((body.declaredSize ?? 0) > limit) throw refusal('file_above_limit', { bytes: limit })

    return receive(services, folder, query, body.stream)
  },

  infoBatch: async ({ db, actor }, { body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    return listFilesByIds(db, workspace, body.file_ids)
  },

  get: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    return mapped(services, workspace, await getFile(db, await enterFile(db, workspace, params.id)), query.page_number)
  },

  pages: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const file = await openForViewing(db, workspace, params.id, query.version)
    const [document, reading] = await together(db, (at) =>
      Promise.all([findVersionDocument(at, file, query.version), findReading(at, file)]),
    )
    if (!document) throw notFound()
    return { ...pagesOf(services, file, document, query), ...reading }
  },

  text: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const file = await openForSelecting(db, workspace, params.id, query.version)
    const document = await findVersionDocument(db, file, query.version)
    const text = document && (await textOf(services, file, document, params.page_number))
    if (!document || !text) throw notFound()
    if (await recordView(db, file, document.title)) services.announce()
    return text
  },

  find: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const file = await openForFinding(db, workspace, params.id, query.version)
    const document = await findVersionDocument(db, file, query.version)
    if (!document) throw notFound()
    if (await recordView(db, file, document.title)) services.announce()
    return hitsIn(services, file, document, query)
  },

  versions: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const versions = await listVersions(db, await manageFile(db, workspace, params.id))
    return mapInTurns(versions, (row) => ({
      ...row,
      ...codedReason(reasonOf({ ...row, status: row.viewer_status, content_type: row.file_content_type })),
    }))
  },

  update: async ({ db, actor, services }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const file = await manageFile(db, workspace, params.id)

    const { title, index } = body.file
    if (title !== undefined) await rename(db, file, title)
    if (index !== undefined) await reindex(db, file, index)

    return mapped(services, workspace, await committing(db, () => getFile(db, file)))
  },

  remove: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const file = await manageFile(db, workspace, params.id)

    const { deleted_at: deleted, title, version, index } = await deleteFile(db, file)
    const changes = removed({ title, version, folder_id: file.folder.id })
    const act = { act: 'file_deleted', params: { title }, subject_id: file.id, changes } as const
    await recordLast(db, workspace, [act], () => closeGap(db, workspace, file.folder.id, index))

    return { id: file.id, deleted }
  },

  copy: async ({ db, actor, services }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const file = await manageFile(db, workspace, params.id)
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    refusePublishing(file, destination)
    const arrival = await copyFile(db, file, destination, body.conflict)
    const changes = created({ folder_id: destination.id, source_id: file.id, ...versionMade(arrival) })
    const act = { ...actOf('copied', arrival, body.conflict), subject_id: arrival.id, changes }
    return arrived({ source: file, db, services, workspace }, arrival, [act])
  },

  move: async ({ db, actor, services }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const file = await manageFile(db, workspace, params.id)
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    refusePublishing(file, destination)
    const seen_by_group_ids = await listSeeingGroups(db, file.folder, 'files')
    const arrival = await moveFile(db, file, destination, body.conflict)
    const act = actOf('moved', arrival, body.conflict)
    const changes = { folder_id: { before: file.folder.id, after: destination.id } }
    const acts = [{ ...act, subject_id: file.id, changes, seen_by_group_ids }]
    return arrived(
      { source: file, db, services, workspace },
      arrival,
      arrival.version === undefined ? acts : replaced(file, arrival, act),
    )
  },

  undo: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)
    const act = await undoFileChange(db, workspace, params.id, body.undo_id)
    await record(db, workspace, { ...act, subject_id: params.id })
    return { message: sentenceOf(act) }
  },
}

/** A file that leaves a draft would be seen at once. A folder stays a draft. */
function refusePublishing({ folder }: ManagedFile, destination: ManagedFolder): void {
  if (folder.in_draft && !destination.in_draft) throw refusal('file_of_draft')
}

interface Reach {
  source: ManagedFile
  db: Db
  services: Services
  workspace: Workspace
}

/** Records a move or copy, and describes the resulting file. */
async function arrived({ source, db, services, workspace }: Reach, { id, outcome, undo }: Arrival, acts: Activity[]) {
  const isSkipped = outcome === 'skipped'
  const arrived = id === source.id ? source : await enterFile(db, workspace, id)
  const [undo_id, file] = await committing(db, () =>
    Promise.all([
      insertUndo(db, workspace, 'file', id, undo),
      getFile(db, arrived),
      isSkipped ? undefined : record(db, workspace, ...acts),
    ]),
  )
  const message = isSkipped || !acts[0] ? 'skipped' : sentenceOf(acts[0])
  return { message, success: 'true' as const, ...mapped(services, workspace, file), outcome, undo_id }
}

/** Names what came of a taken name only for clients that ask: the messages of the others stay as they were. */
function actOf(verb: 'copied' | 'moved', { title, itinerary, outcome, version }: Arrival, conflict: Conflict) {
  const params = fromTo(itinerary)
  if (version !== undefined)
    return { act: `file_${verb}_over`, params: { ...params, version: String(version), name: title } } as const
  if (outcome !== 'renamed' || conflict === undefined) return { act: `file_${verb}`, params } as const
  return { act: `file_${verb}_as`, params: { ...params, name: title } } as const
}

/** The file there got a version, and the moved file is in the trash. */
function replaced(file: ManagedFile, arrival: Arrival, act: Told<FeedAct>): Activity[] {
  const title = arrival.itinerary.name
  const changes = created({ source_id: file.id, ...versionMade(arrival) })
  return [
    { ...act, subject_id: arrival.id, changes },
    {
      act: 'file_deleted',
      params: { title },
      subject_id: file.id,
      changes: removed({ title, folder_id: file.folder.id }),
    },
  ]
}

const versionMade = ({ version }: Arrival) => (version === undefined ? {} : { version })

async function rename(db: Db, file: ManagedFile, wanted: string): Promise<void> {
  const { title: old, file_name } = await lockFile(db, file)
  const title = keepExtension(wanted, file_name)
  if (title === old) return
  const changes = { title: { before: old, after: title } }
  const act = { act: 'file_renamed', params: { old, title }, subject_id: file.id, changes } as const
  await Promise.all([renameFile(db, file, title), record(db, file.folder.workspace, act)])
}

async function reindex(db: Db, file: ManagedFile, index: number): Promise<void> {
  const { title, index: old } = await lockFile(db, file)
  if (index === old) return
  await reindexFile(db, file, index)
  const changes = { index: { before: old, after: index } }
  await record(db, file.folder.workspace, { act: 'file_updated', params: { title }, subject_id: file.id, changes })
}

const fromTo = ({ name, source, destination }: Itinerary) => ({ title: name, source, target: destination })
