import type { Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { read } from '../api/query.ts'

export type Document = Reply<typeof api.documents.list>[number]

export const PER_PAGE = 25

const STATUSES = ['failed', 'unsupported', 'waiting', 'all'] as const
export type Status = (typeof STATUSES)[number]

export const statusOf = (text: string | null): Status => STATUSES.find((status) => status === text) ?? 'all'

/** Files whose pages cannot be shown, or not yet; for workspace admins. */
export const documentsQuery = (workspaceId: number, { status, page }: { status: Status; page: number }) =>
  read(api.documents.list, { query: { workspace_id: workspaceId, status, page, per_page: PER_PAGE } })

/** The failed documents; pages link to them if there are any. */
export const failedQuery = (workspaceId: number) => documentsQuery(workspaceId, { status: 'failed', page: 1 })
