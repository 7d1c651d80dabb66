import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { paths } from '../../paths.ts'

/** The id of the folder that contains all others. */
export const ROOT = 0

/** A workspace as the user sees it, or as an admin sees it in place of a group or a person. */
export interface Workspace extends Pick<Reply<typeof api.workspaces.get>, 'id' | 'name' | 'admin'> {
  seenAs?: Reader
}

/** A group or a person. */
export interface Reader {
  group_id?: number
  user_id?: number
}

type Part = { page: number; per_page: 25 } | Record<never, never>

/**
 * Reads the content of a folder. Only admins may read the root; other users start from the workspace's home, which
 * holds what they can reach at the top (decisions, section 4).
 */
export function folderQuery({ id, admin, seenAs }: Workspace, folderId: number, part: Part = {}): FolderQuery {
  const params = { id: folderId }
  const query = { workspace_id: id, ...seenAs, ...part }
  if (seenAs) return read(api.permissions.viewAs, { params, query })
  if (folderId === ROOT && !admin) return read(api.workspaces.home, { params: { id } })
  return read(api.folders.get, { params, query })
}

type FolderQuery =
  | ReturnType<typeof read<typeof api.folders.get>>
  | ReturnType<typeof read<typeof api.workspaces.home>>
  | ReturnType<typeof read<typeof api.permissions.viewAs>>

/** What an address in a workspace depends on. */
type Room = Pick<Workspace, 'id' | 'seenAs'>

const readerIn = ({ seenAs }: Room) => seenAs && { group: seenAs.group_id, user: seenAs.user_id }

/** The address of a folder in the same view of the workspace. */
export function folderPath(workspace: Room, folderId: number, query: { file?: number; sort?: string } = {}): string {
  const reader = readerIn(workspace)
  return reader
    ? paths.viewAs(workspace.id, { ...reader, ...query }, folderId)
    : paths.files(workspace.id, folderId, query)
}

/** The address of the viewer of a file in the same view of the workspace. */
export const filePath = (
  workspace: Room,
  fileId: number,
  query: { sort?: string; page?: number; find?: string } = {},
): string => paths.view(workspace.id, fileId, { ...readerIn(workspace), ...query })
