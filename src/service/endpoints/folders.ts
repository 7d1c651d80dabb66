import { sentenceOf } from '../../contract/acts.ts'
import { type Api, api } from '../../contract/index.ts'
import { enterFolder, manageFolder, openFolderForUpload } from '../access/enter/folder.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { ManagedFolder, Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { unprocessable } from '../base/errors.ts'
import { fromReplica, type Handlers, inOneStatement, Versioned } from '../http/context.ts'
import { type Activity, record, recordLast } from '../store/audit/activities.ts'
import { created, recordForAudit, removed } from '../store/audit/audit.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { getContent, getMeta, stateOfContent } from '../store/folders/folder-content.ts'
import type { FolderMeta } from '../store/folders/folder-rows.ts'
import { copyFolder, recordCopied } from '../store/folders/folder-copy.ts'
import { renumberByName } from '../store/folders/renumber.ts'
import { searchFolders } from '../store/search/folder-search.ts'
import {
  deleteFolder,
  type FolderArrival,
  type FolderConflict,
  insertFolder,
  type Itinerary,
  moveFolder,
  reindexFolder,
  renameFolder,
} from '../store/folders/folders.ts'
import { undoFolderChange } from '../store/trash/undo-transfer.ts'
import { insertUndo, type Order } from '../store/trash/undos.ts'
import { listSeeingGroups } from '../store/audit/recent-activities.ts'

export const folders: Handlers<Api['folders']> = {
  search: fromReplica(async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const { total, folders } = await searchFolders(db, workspace, query)
    setHeaders(pageHeaders(api.folders.search, query, total))
    return folders
  }),

  create: inOneStatement(async ({ db, actor }, { body: { name, ...at } }) => {
    const workspace = await enterWorkspace(db, actor, at.workspace_id)
    const parent = await openFolderForUpload(db, workspace, at.parent_id)

    const changes = created({ name, parent_id: parent.id })
    return insertFolder(db, parent, name, { act: 'folder_added', params: { name }, subject_id: null, changes })
  }),

  get: async ({ db, actor }, { params, query }) => {
    // API description, Authentication 8: the root is for admins; all other users start from the workspace's home.
    const workspace = await (params.id === 0 ? administerWorkspace : enterWorkspace)(db, actor, query.workspace_id)
    const folder = await enterFolder(db, workspace, params.id)
    const isPaged = query.page !== undefined || query.per_page !== undefined
    const page = isPaged ? { page: query.page ?? 1, per_page: query.per_page ?? 100 } : undefined
    return new Versioned(stateOfContent(folder, page), (at) => getContent(at, folder, page))
  },

  update: inOneStatement(async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))

    const { name, index } = body.folder
    if (index === undefined) return (await rename(db, folder, name)) ?? getMeta(db, folder)
    return transaction(db, async (tx) => {
      await rename(tx, folder, name)
      return reindex(tx, folder, { name: name ?? folder.name, index })
    })
  }),

  remove: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))

    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    const { deleted, lost, former } = await deleteFolder(db, folder)
    const act = { act: 'folder_deleted', params: { name: former.name } } as const
    const changes = removed({ ...former, permissions: lost, folders: deleted })
    await recordLast(db, workspace, [{ ...act, subject_id: folder.id, changes, seen_by_group_ids }])

    return { id: folder.id, deleted }
  },

  copy: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    const arrival = await copyFolder(db, folder, destination, body.conflict)
    const act = actOf('copied', arrival, body.conflict)
    const changes = created({ parent_id: destination.id, source_id: folder.id })
    const [, reply] = await Promise.all([
      recordCopied(db, workspace, arrival),
      arrived(db, workspace, arrival, { ...act, subject_id: arrival.id, changes }),
    ])
    return reply
  },

  move: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    const { lost, former_parent_id, ...arrival } = await moveFolder(db, folder, destination, body.conflict)
    const act = actOf('moved', arrival, body.conflict)
    const permissions = { before: lost }
    const changes = { parent_id: { before: former_parent_id, after: destination.id }, permissions }
    return arrived(db, workspace, arrival, { ...act, subject_id: folder.id, changes, seen_by_group_ids })
  },

  renumber: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = await manageFolder(db, workspace, params.id)
    const { name, before, after } = await renumberByName(db, folder)
    if (!after) return { message: 'unchanged', undo_id: null }
    const act = { act: 'folder_renumbered', params: { name } } as const
    const undo_id = await insertUndo(db, workspace, 'folder', folder.id, { kind: 'order', before, after })
    await record(db, workspace, {
      ...act,
      subject_id: folder.id,
      changes: { order: { before: firstOf(before), after: firstOf(after) } },
    })
    return { message: sentenceOf(act), undo_id }
  },

  undo: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)
    const act = await undoFolderChange(db, workspace, params.id, body.undo_id)
    await record(db, workspace, { ...act, subject_id: params.id })
    return { message: sentenceOf(act) }
  },
}

/** As many as an audit entry keeps. */
const firstOf = ({ folders, files }: Order): Order => ({ folders: folders.slice(0, 1000), files: files.slice(0, 1000) })

/** Records a move or copy, and describes the resulting folder. */
async function arrived(db: Db, workspace: Workspace, { id, outcome, undo }: FolderArrival, act: Activity) {
  const isSkipped = outcome === 'skipped'
  const [undo_id] = await Promise.all([
    insertUndo(db, workspace, 'folder', id, undo),
    isSkipped ? undefined : record(db, workspace, act),
  ])
  const folder = await getMeta(db, await enterFolder(db, workspace, id))
  const message = isSkipped ? 'skipped' : sentenceOf(act)
  return { message, success: 1 as const, ...folder, outcome, undo_id }
}

/** Names the new name only for clients that ask: the messages of the others stay as they were. */
function actOf(verb: 'copied' | 'moved', { name, itinerary, outcome }: FolderArrival, conflict: FolderConflict) {
  const params = fromTo(itinerary)
  if (outcome !== 'renamed' || conflict === undefined) return { act: `folder_${verb}`, params } as const
  return { act: `folder_${verb}_as`, params: { ...params, new_name: name } } as const
}

const fromTo = ({ name, source, destination }: Itinerary) => ({ name, source, target: destination })

async function rename(db: Db, folder: ManagedFolder, name = folder.name): Promise<FolderMeta | undefined> {
  return renameFolder(db, folder, name, (old) => {
    const changes = { name: { before: old, after: name } }
    return { act: 'folder_renamed', params: { old, name }, subject_id: folder.id, changes }
  })
}

async function reindex(db: Db, folder: ManagedFolder, { name, index }: { name: string; index: number }) {
  await reindexFolder(db, folder, index)
  if (index !== folder.index) {
    const changes = { index: { before: folder.index, after: index } }
    const act = { act: 'folder_reindexed', params: { name }, subject_id: folder.id, changes } as const
    await recordForAudit(db, folder.workspace, act)
  }
  return getMeta(db, folder)
}

function notRoot(folder: ManagedFolder): ManagedFolder {
  if (folder.id === 0) throw unprocessable('id', 'not_root')
  return folder
}
