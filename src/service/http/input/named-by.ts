import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import type { Named } from '../../access/enter/arrival.ts'

type Ids = Record<string, unknown>
type Parts = Record<'params' | 'query' | 'body', Ids>

/** Returns the workspace, folder, file and group that a request names. */
export type Naming = (input: unknown) => Named | undefined

/**
 * Prepares to find what requests for an endpoint name, by the path of the endpoint and the names of its parameters. It
 * only tells what to read early: handlers decide what they enter.
 */
export function namingBy({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): Naming {
  const lists = method === 'GET' && path === '/folders/{id}'
  const adds = method === 'POST' && path === '/groups/{id}/memberships'
  const noun = /\/(\w+)\/\{id\}/.exec(path)?.[1]
  return (input) => {
    const parts = input as Parts
    const inPath = (name: string) => (noun === name ? idIn(parts.params, 'id') : undefined)
    const workspace_id =
      inPath('workspaces') ?? idOf(parts, 'workspace_id') ?? idIn((parts.body['group'] ?? {}) as Ids, 'workspace_id')
    if (workspace_id === undefined) return undefined
    return {
      workspace_id,
      folder_id: inPath('folders') ?? idOf(parts, 'folder_id') ?? idOf(parts, 'parent_id'),
      file_id: inPath('files') ?? idIn(parts.params, 'file_id'),
      group_id: inPath('groups') ?? idOf(parts, 'group_id'),
      member_id: adds ? idOf(parts, 'user_id') : undefined,
      lists,
    }
  }
}

/** A parameter of the path wins over one of the body, and that over one of the query. */
const idOf = ({ params, body, query }: Parts, name: string): number | undefined =>
  idIn(name in params ? params : name in body ? body : query, name)

function idIn(ids: Ids, name: string): number | undefined {
  const id = ids[name]
  return typeof id === 'number' ? id : undefined
}
