import { sentenceOf } from '../../contract/acts.ts'
import { type Api, api } from '../../contract/index.ts'
import type { Delivery } from '../../contract/endpoints/permissions.ts'
import { isAdminGroup } from '../../contract/rules.ts'
import { openSelection } from '../access/enter/download.ts'
import { enterFile } from '../access/enter/file.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { administerGroup, enterGroup, enterGroups } from '../access/enter/group.ts'
import { readerIn, viewAs } from '../access/enter/view-as.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { changesOf } from '../access/rules.ts'
import { findDelivery } from '../access/open-for-download.ts'
import { settingsOf } from '../access/rights-settings.ts'
import { findReading } from '../access/read-text.ts'
import type { ReadableFile } from '../access/scopes.ts'
import { openUnmarkedPages } from '../access/view-pages.ts'
import { tryOut } from '../db/transaction.ts'
import { notFound, unprocessable } from '../base/errors.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { pagesOf } from '../content/viewer-image.ts'
import { fromReplica, type Handlers, inOneStatement } from '../http/context.ts'
import { foreseeDownload } from '../documents/zip/foresee-download.ts'
import { stampSourceOf } from '../documents/watermark/carry/stamp-source.ts'
import { recordLast } from '../store/audit/activities.ts'
import { type Document, findVersionDocument } from '../store/documents/documents.ts'
import { getContent } from '../store/folders/folder-content.ts'
import { foreseeRights } from '../store/rights/foreseen-rights.ts'
import { applySettings, shownEffect } from '../store/rights/permission-changes.ts'
import { listFilePeople, listMatrix, listPeople } from '../store/rights/permission-report.ts'
import { getSheet } from '../store/rights/permission-sheet.ts'
import { readReach } from '../store/rights/rights-reach.ts'
import { listFolderPermissions } from '../store/rights/permission-level.ts'
import { actsOf, preparedAct, rightAct } from '../store/rights/rights-acts.ts'
import { setFlags } from '../store/rights/permissions.ts'
import { searchFiles } from '../store/search/file-search.ts'
import { searchFolders } from '../store/search/folder-search.ts'
import { mapInTurns } from '../base/turns.ts'

export const permissions: Handlers<Api['permissions']> = {
  list: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const group = await enterGroup(db, workspace, query.group_id)
    const folder = await enterFolder(db, workspace, params.id)
    return listFolderPermissions(db, group, folder)
  },

  set: inOneStatement(async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, body.group_id)
    const folder = await enterFolder(db, group.workspace, params.id)
    if (isAdminGroup(group)) throw unprocessable('group_id', 'group_with_limited_rights')

    const verb = body.verb === 'revoke' ? 'revoke' : 'grant'
    const { act, at } = await setFlags(db, group, folder, changesOf(verb, body.folder_action), (names) =>
      folder.in_draft
        ? { ...preparedAct(names), subject_id: folder.id }
        : { ...rightAct(body.folder_action, verb === 'grant', names), subject_id: group.id },
    )
    return { created_at: at, updated_at: at, message: sentenceOf(act) }
  }),

  sheet: fromReplica(async ({ db, actor }, { query: { workspace_id, group_ids, ...wanted } }) => {
    const workspace = wanted.staged
      ? await administerWorkspace(db, actor, workspace_id)
      : await enterWorkspace(db, actor, workspace_id)
    return getSheet(db, workspace, await enterGroups(db, workspace, group_ids), wanted)
  }),

  listPeople: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    return listPeople(db, workspace, await enterFolder(db, workspace, params.id))
  }),

  listFilePeople: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    return listFilePeople(db, workspace, await enterFile(db, workspace, params.id))
  }),

  reach: fromReplica(async ({ db, actor }, { query: { workspace_id, ...asked } }) =>
    readReach(db, await administerWorkspace(db, actor, workspace_id), asked),
  ),

  viewAs: async ({ db, actor }, { params, query: { page, per_page, ...asked } }) => {
    const isPaged = page !== undefined || per_page !== undefined
    const part = isPaged ? { page: page ?? 1, per_page: per_page ?? 100 } : undefined
    const workspace = await administerWorkspace(db, actor, asked.workspace_id)
    return viewAs(db, workspace, readerIn(asked), async (tx, seen) =>
      getContent(tx, await enterFolder(tx, seen, params.id), part),
    )
  },

  viewFileAs: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    return viewAs(db, workspace, readerIn(query), async (tx, seen) => {
      const file = await enterFile(tx, seen, params.id)
      const [unmarked, reading, download, document] = await Promise.all([
        openUnmarkedPages(tx, file.folder),
        findReading(tx, file),
        findDelivery(tx, file),
        findVersionDocument(tx, file),
      ])
      if (!document) throw notFound()
      const handling = { marked_pages: unmarked === undefined, ...reading, download }
      return { id: file.id, folder_id: file.folder.id, ...handling, hindrance: hindranceOf(file, download, document) }
    })
  },

  viewPagesAs: async ({ db, actor, services }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    const reader = readerIn(query)
    const own = await enterFile(db, workspace, params.id)
    const [document, reading] = await viewAs(db, workspace, reader, async (tx, seen) => {
      const file = await enterFile(tx, seen, params.id)
      return Promise.all([findVersionDocument(tx, file), findReading(tx, file)])
    })
    if (!document) throw notFound()
    return { ...pagesOf(services, own, document, query, reader), ...reading }
  },

  searchFilesAs: async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    const { total, files } = await viewAs(db, workspace, readerIn(query), (tx, seen) => searchFiles(tx, seen, query))
    setHeaders(pageHeaders(api.permissions.searchFilesAs, query, total))
    return files
  },

  searchFoldersAs: async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    const { total, folders } = await viewAs(db, workspace, readerIn(query), (tx, seen) =>
      searchFolders(tx, seen, query),
    )
    setHeaders(pageHeaders(api.permissions.searchFoldersAs, query, total))
    return folders
  },

  downloadAs: async ({ db, actor }, { query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    return viewAs(db, workspace, readerIn(query), async (tx, seen) =>
      foreseeDownload(tx, await openSelection(tx, seen, query)),
    )
  },

  matrix: async ({ db, actor }, { query }) => listMatrix(db, await administerWorkspace(db, actor, query.workspace_id)),

  change: async ({ db, actor }, { body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)
    const settings = await settingsOf(db, workspace, body.changes)
    if (body.dry_run) return tryOut(db, async (trial) => resultOf(await applySettings(trial, workspace, settings)))
    const done = await applySettings(db, workspace, settings)
    const acts = await mapInTurns(done.applied, (applied) => actsOf(applied, body.undo))
    await recordLast(db, workspace, acts.flat())
    return resultOf(done)
  },

  foresee: async ({ db, actor }, { body: { workspace_id, destination_folder_id, ...moved } }) => {
    const workspace = await administerWorkspace(db, actor, workspace_id)
    const destination = await enterFolder(db, workspace, destination_folder_id)
    if (moved.verb === 'move' && moved.folder_ids.some((id) => destination.id_path.includes(id))) {
      throw unprocessable('destination_folder_id', 'outside_moved_folders')
    }
    return foreseeRights(db, workspace, { ...moved, destination })
  },
}

/** Says beforehand why `openForDownload` or `makeStampedCopy` would refuse. */
function hindranceOf({ infected, held, folder }: ReadableFile, download: Delivery, document: Document) {
  if (download === 'none') return null
  if (infected) return 'infected'
  if (held && !folder.workspace.admin) return 'not_scanned'
  if (download !== 'marked') return null
  const source = stampSourceOf(document)
  if (source === 'not yet') return 'not_prepared'
  return 'unstampable' in source ? 'unmarkable' : null
}

const resultOf = ({ applied, inverse }: Awaited<ReturnType<typeof applySettings>>) => ({
  effects: applied.map(shownEffect),
  inverse,
})
