import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import type { Named } from '../../access/enter/arrival.ts'

type Ids = Record<string, unknown>

/**
 * The workspace, folder, file and group that a request names, by the path of its endpoint and the names of its
 * parameters. It only tells what to read early: handlers decide what they enter.
 */
export function namedBy(endpoint: Pick<AnyEndpoint, 'path'>, input: unknown): Named | undefined {
  const { params, query, body } = input as Record<'params' | 'query' | 'body', Ids>
  const ids: Ids = { ...query, ...body, ...params }
  const workspace_id =
    inPath(endpoint, 'workspaces', params) ??
    idIn(ids, 'workspace_id') ??
    idIn((body['group'] ?? {}) as Ids, 'workspace_id')
  if (workspace_id === undefined) return undefined
  return {
    workspace_id,
    folder_id: inPath(endpoint, 'folders', params) ?? idIn(ids, 'folder_id') ?? idIn(ids, 'parent_id'),
    file_id: inPath(endpoint, 'files', params) ?? idIn(params, 'file_id'),
    group_id: inPath(endpoint, 'groups', params) ?? idIn(ids, 'group_id'),
  }
}

const inPath = ({ path }: Pick<AnyEndpoint, 'path'>, noun: string, params: Ids): number | undefined =>
  path.includes(`/${noun}/{id}`) ? idIn(params, 'id') : undefined

function idIn(ids: Ids, name: string): number | undefined {
  const id = ids[name]
  return typeof id === 'number' ? id : undefined
}
