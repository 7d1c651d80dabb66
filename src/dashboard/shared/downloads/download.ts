import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type Download = Reply<typeof api.downloads.create>

export const downloadsQuery = (workspaceId: number) =>
  read(api.downloads.listStatus, { params: { workspace_id: workspaceId } })

export const isUnderWay = ({ status }: Download) => status === 'building_directory' || status === 'processing'
