import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type Download = Reply<typeof api.downloads.create>

export const downloadsQuery = (workspaceId: number) =>
  read(api.downloads.listStatus, { params: { workspace_id: workspaceId } })

/** The zip of one file that holds only the reason why the file is left out. */
export const isWithoutFile = ({ file_ids, folder_ids, left_out }: Download) =>
  left_out === 1 && file_ids.length === 1 && folder_ids.length === 0

export const isUnderWay = ({ status }: Download) => status === 'building_directory' || status === 'processing'
