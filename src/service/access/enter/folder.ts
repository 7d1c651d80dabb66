import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { statement } from '../../db/statement.ts'
import type { ManagedFolder, Rights, UploadableFolder, VisibleFolder, Workspace } from '../scopes.ts'
import { type Fragment, isInDraft, leadsToVisible, rightsWith } from '../sql.ts'
import { take } from './known.ts'

/** Stands for the overrides of a workspace among the folders that have versions. */
const OVERRIDES = sql.lit(-1)
const EVERYTHING: Rights = { view: true, download: true, upload: true }

interface FolderRow extends Rights {
  id: number
  parent_id: number
  name: string
  index: number
  id_path: number[]
  leads: boolean
  manages: boolean
  sealed: boolean
  listed_state: string | null
  in_draft: boolean
}

/** Enters any folder that the caller can at least pass through. Every member knows the root (0), "All Folders". */
export async function enterFolder(db: Db, workspace: Workspace, folderId: number): Promise<VisibleFolder> {
  const known = take<FolderRow>(workspace, 'folder', folderId)
  const row = known ? known.row : await findFolder(db, workspace, folderId)
  if (!row || !(row.id === 0 || row.view || row.leads)) throw notFound()
  return folderScope(workspace, row)
}

function folderScope(workspace: Workspace, row: FolderRow): VisibleFolder {
  const { leads: _, manages, view, download, upload, ...folder } = row
  const rights = workspace.admin ? EVERYTHING : { view, download, upload }
  const manages_files = workspace.admin || (manages && rights.upload)
  return { ...folder, workspace, rights, path_node: !rights.view, manages_files } as unknown as VisibleFolder
}

/** Facts about a folder for a caller of that standing. Gives one row or none, for a lateral join. */
export const folderFor = (
  caller: Record<'workspaceId' | 'admin' | 'groupIds' | 'managingGroupIds' | 'sealingGroupIds', Fragment>,
  folderId: Fragment,
  /** The numbering of the workspace, to read its `listed_state`. */
  numbering?: Fragment,
): Fragment => {
  const idPath = sql`f.id_path`
  const { workspaceId, admin, groupIds, managingGroupIds, sealingGroupIds } = caller
  const of = { managing: managingGroupIds, sealing: sealingGroupIds }
  // Admins have every right, so no overrides of their groups are read.
  const groupsOfOthers = sql`case when ${admin} then '{}' else ${groupIds} end`
  const state = numbering ? listedState(workspaceId, admin, numbering) : sql`null`
  return sql`(
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path,
      coalesce(${admin} or r.view, false) as view, coalesce(${admin} or r.download, false) as download,
      coalesce(${admin} or r.upload, false) as upload,
      (${admin} or ${leadsToVisible(workspaceId, groupIds, idPath)}) as leads,
      r.manages, r.sealed, ${state} as listed_state, ${admin} and ${isInDraft(workspaceId, idPath)} as in_draft
    from folders f cross join lateral ${rightsWith(workspaceId, groupsOfOthers, of, idPath)} r
    where f.workspace_id = ${workspaceId} and f.id = ${folderId} and f.deleted_at is null)`
}

/** Everything that a list of a folder `f` shows, beside the caller's rights there. */
const listedState = (workspaceId: Fragment, admin: Fragment, numbering: Fragment): Fragment => sql`(
  select json_build_array(f.created_at, f.updated_at, f.last_updated_user_id, (
      select json_agg(json_build_array(above.name, above.number_length, above.index, above.is_draft) order by cardinality(above.id_path)) from folders above
      where above.workspace_id = ${workspaceId} and above.id = any(f.id_path)
    ), ${versionOf(workspaceId, numberedBy(admin, numbering))},
    case when not ${admin} then ${versionOf(workspaceId, sql`array[${OVERRIDES}]`)} end)::text)`

/** The folders whose lists decide the numbers in a folder `f`: those above too, where they count only what is seen. */
const numberedBy = (admin: Fragment, numbering: Fragment): Fragment =>
  sql`case when not ${admin} and ${numbering} = 'per_reader' then f.id_path else array[f.id] end`

const versionOf = (workspaceId: Fragment, folderIds: Fragment): Fragment => sql`(
  select sum(v.version)::text from folder_versions v
  where v.workspace_id = ${workspaceId} and v.folder_id = any(${folderIds}))`

interface Caller {
  workspaceId: number
  folderId: number
  admin: boolean
  groupIds: readonly number[]
  managingGroupIds: readonly number[]
  sealingGroupIds: readonly number[]
}

const folderRows = statement<Caller, FolderRow>((of) => {
  const caller = {
    workspaceId: of.workspaceId,
    admin: sql`${of.admin}::boolean`,
    groupIds: sql`${of.groupIds}::int[]`,
    managingGroupIds: sql`${of.managingGroupIds}::int[]`,
    sealingGroupIds: sql`${of.sealingGroupIds}::int[]`,
  }
  return sql`select f.* from ${folderFor(caller, of.folderId)} f`
})

async function findFolder(db: Db, workspace: Workspace, folderId: number): Promise<FolderRow | undefined> {
  const { id: workspaceId, admin, group_ids, managing_group_ids, sealing_group_ids } = workspace
  const groups = { groupIds: group_ids, managingGroupIds: managing_group_ids, sealingGroupIds: sealing_group_ids }
  return (await folderRows(db, { workspaceId, folderId, admin, ...groups }))[0]
}

/** @throws ApiError 403 without the upload right, or for a path node: the caller knows only its name */
export async function openFolderForUpload(db: Db, workspace: Workspace, folderId: number): Promise<UploadableFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!folder.rights.view) throw refusal('no_view')
  if (!folder.rights.upload) throw refusal('no_upload')
  return folder as UploadableFolder
}

/** Enters a folder to rename, reindex, move, copy or delete. The root passes; the endpoints refuse to change it. */
export async function manageFolder(db: Db, workspace: Workspace, folderId: number): Promise<ManagedFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!workspace.admin) throw refusal('folders_by_admins')
  return folder as ManagedFolder
}
