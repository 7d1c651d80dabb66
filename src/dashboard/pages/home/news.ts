import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type WorkspaceNews = Reply<typeof api.users.news>['workspaces'][number]

const NONE: Reply<typeof api.users.news> = { workspaces: [] }

/** Read with the page, so that nothing moves when it comes; without it the page still lists the workspaces. */
export function newsQuery() {
  const query = read(api.users.news)
  return { ...query, queryFn: (context: { signal: AbortSignal }) => query.queryFn(context).catch(() => NONE) }
}
