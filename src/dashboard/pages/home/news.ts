import type { AnyEndpoint, Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { type Query, read } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'

export type WorkspaceNews = Reply<typeof api.users.news>['workspaces'][number]
export type Expiration = Reply<typeof api.users.expirations>['expirations'][number]

export const newsQuery = () => orNone(read(api.users.news), { workspaces: [] })
export const expirationsQuery = () => orNone(read(api.users.expirations), { expirations: [] })

/** Read with the page, so that nothing moves when it comes. If a reading fails, the page has what it knew, or nothing. */
function orNone<E extends AnyEndpoint>({ queryKey, queryFn }: Query<E>, none: Reply<E>): Query<E> {
  const known = () => queryClient.getQueryData<Reply<E>>(queryKey) ?? none
  return { queryKey, queryFn: (context) => queryFn(context).catch(known) }
}
