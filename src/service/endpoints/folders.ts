import { type Api, api } from '../../contract/index.ts'
import { enterFolder, manageFolder, openFolderForUpload } from '../access/enter/folder.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { ManagedFolder } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { unprocessable } from '../errors.ts'
import type { Handlers } from '../http/context.ts'
import { record } from '../store/activities.ts'
import { created, recordForAudit, removed } from '../store/audit.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { getContent, getMeta } from '../store/folder-content.ts'
import { copyFolder } from '../store/folder-copy.ts'
import { searchFolders } from '../store/folder-search.ts'
import {
  deleteFolder,
  insertFolder,
  type Itinerary,
  moveFolder,
  reindexFolder,
  renameFolder,
} from '../store/folders.ts'
import { listSeeingGroups } from '../store/recent-activities.ts'

export const folders: Handlers<Api['folders']> = {
  search: async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const { total, folders } = await searchFolders(db, workspace, query)
    setHeaders(pageHeaders(api.folders.search, query, total))
    return folders
  },

  create: async ({ db, actor }, { body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const parent = await openFolderForUpload(db, workspace, body.parent_id)

    const id = await insertFolder(db, parent, body.name)
    const [folder] = await Promise.all([
      enterFolder(db, workspace, id),
      record(db, workspace, {
        ...folderAct('created', id, `added the folder: ${body.name}`),
        changes: created({ name: body.name, parent_id: parent.id }),
      }),
    ])

    return getMeta(db, folder)
  },

  get: async ({ db, actor }, { params, query }) => {
    // API description, Authentication 8: the root is for admins; all other users start from the workspace's home.
    const workspace = await (params.id === 0 ? administerWorkspace : enterWorkspace)(db, actor, query.workspace_id)
    const folder = await enterFolder(db, workspace, params.id)
    const isPaged = query.page !== undefined || query.per_page !== undefined
    return getContent(db, folder, isPaged ? { page: query.page ?? 1, per_page: query.per_page ?? 100 } : undefined)
  },

  update: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))

    const { name, index } = body.folder
    if (name !== undefined) await rename(db, folder, name)
    if (index !== undefined) await reindexFolder(db, folder, index)
    if (index !== undefined && index !== folder.index) {
      const message = `changed the place of the folder: ${name ?? folder.name}`
      const changes = { index: { before: folder.index, after: index } }
      await recordForAudit(db, workspace, { ...folderAct('updated', folder.id, message), changes })
    }

    return getMeta(db, folder)
  },

  remove: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))

    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    const { deleted, lost, former } = await deleteFolder(db, folder)
    const message = `deleted the folder: ${former.name}`
    const changes = removed({ ...former, permissions: lost, folders: deleted })
    await record(db, workspace, { ...folderAct('deleted', folder.id, message), changes, seen_by_group_ids })

    return { id: folder.id, deleted }
  },

  copy: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    const { id, itinerary } = await copyFolder(db, folder, destination)
    const message = `copied the folder ${inWords(itinerary)}`
    const changes = created({ parent_id: destination.id, source_id: folder.id })
    await record(db, workspace, { ...folderAct('copied', id, message), changes })

    return { message, success: 1 as const, ...(await getMeta(db, await enterFolder(db, workspace, id))) }
  },

  move: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = notRoot(await manageFolder(db, workspace, params.id))
    const destination = await manageFolder(db, workspace, body.destination_folder_id)

    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    const { lost, former_parent_id, itinerary } = await moveFolder(db, folder, destination)
    const message = `moved the folder ${inWords(itinerary)}`
    const permissions = { before: lost }
    const changes = { parent_id: { before: former_parent_id, after: destination.id }, permissions }
    await record(db, workspace, { ...folderAct('moved', folder.id, message), changes, seen_by_group_ids })

    return { message, success: 1 as const, ...(await getMeta(db, await enterFolder(db, workspace, folder.id))) }
  },
}

function folderAct(verb: string, id: number, message: string) {
  return { verb, message, subject_type: 'Folder' as const, subject_id: id }
}

/** `"name" from "source" into the folder "target"` (decisions, section 11). */
const inWords = ({ name, source, destination }: Itinerary): string =>
  `"${name}" from "${source}" into the folder "${destination}"`

async function rename(db: Db, folder: ManagedFolder, name: string): Promise<void> {
  const former = await renameFolder(db, folder, name)
  if (former === name) return
  const act = folderAct('updated_name', folder.id, `renamed the folder "${former}" to "${name}"`)
  await record(db, folder.workspace, { ...act, changes: { name: { before: former, after: name } } })
}

function notRoot(folder: ManagedFolder): ManagedFolder {
  if (folder.id === 0) throw unprocessable('id', 'is the root, which stays as it is')
  return folder
}
