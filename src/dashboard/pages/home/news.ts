import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { orNone, read } from '../../api/query.ts'

export type WorkspaceNews = Reply<typeof api.users.news>['workspaces'][number]
export type Expiration = Reply<typeof api.users.expirations>['expirations'][number]

/** Read with the page, so that nothing moves when it comes. */
export const expirationsQuery = () => orNone(read(api.users.expirations), { expirations: [] })
