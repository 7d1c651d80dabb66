import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

/** The id of the folder that contains all others. */
export const ROOT = 0

export type Workspace = Pick<Reply<typeof api.workspaces.get>, 'id' | 'name' | 'admin'>

/**
 * Reads the content of a folder. Only admins may read the root; other users start from the workspace's home, which
 * holds what they can reach at the top (decisions, section 4).
 */
export function folderQuery(workspace: Workspace, folderId: number): FolderQuery {
  if (folderId === ROOT && !workspace.admin) return read(api.workspaces.home, { params: { id: workspace.id } })
  return read(api.folders.get, { params: { id: folderId }, query: { workspace_id: workspace.id } })
}

type FolderQuery = ReturnType<typeof read<typeof api.folders.get>> | ReturnType<typeof read<typeof api.workspaces.home>>
