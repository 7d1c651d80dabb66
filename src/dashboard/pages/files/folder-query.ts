import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { ROOT } from './tree-rows.ts'

export type Workspace = Pick<Reply<typeof api.workspaces.get>, 'id' | 'name' | 'admin'>

/**
 * What a folder holds. The root is for admins; everyone else starts from the workspace's home, which holds what can be
 * reached at the top (decisions, section 4).
 */
export function folderQuery(workspace: Workspace, folderId: number): FolderQuery {
  if (folderId === ROOT && !workspace.admin) return read(api.workspaces.home, { params: { id: workspace.id } })
  return read(api.folders.get, { params: { id: folderId }, query: { workspace_id: workspace.id } })
}

type FolderQuery = ReturnType<typeof read<typeof api.folders.get>> | ReturnType<typeof read<typeof api.workspaces.home>>
