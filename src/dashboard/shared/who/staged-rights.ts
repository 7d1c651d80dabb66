import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

export type StagedRights = Reply<typeof api.stagedRights.list>
export type StagedChange = StagedRights['changes'][number]

export const stagedQuery = (workspaceId: number) => read(api.stagedRights.list, { params: { id: workspaceId } })

/** No event tells of what other admins stage. */
const REREAD_MS = 20_000

/** The changes of rights that wait to be published, for admins. */
export const useStagedRights = (workspaceId: number, isAdmin = true) =>
  useReading({ ...stagedQuery(workspaceId), enabled: isAdmin, refetchOnMount: 'always', refetchInterval: REREAD_MS })
