import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import type { World } from './world.ts'

type Place = 'params' | 'query' | 'body'

const isWorkspace = (endpoint: AnyEndpoint, place: Place, name: string) =>
  name === 'workspace_id' || (place === 'params' && name === 'id' && endpoint.path.startsWith('/workspaces/{id}'))

const ID = /(^|_)ids?$/

/** Whether a call of the endpoint names a workspace, in its path, query or body. */
export function namesWorkspace(endpoint: AnyEndpoint): boolean {
  const { params, query, body } = endpoint
  const group = body.shape['group'] as { def?: { shape?: object } } | undefined
  const shapes: [Place, object][] = [
    ['params', params.shape],
    ['query', query.shape],
    ['body', { ...body.shape, ...group?.def?.shape }],
  ]
  return shapes.some(([place, shape]) => Object.keys(shape).some((name) => isWorkspace(endpoint, place, name)))
}

interface Changes {
  workspace: (value: unknown) => unknown
  other: (value: unknown) => unknown
}

/** Replaces the ids of a call, also in lists and objects. `others`: how many ids it has besides the workspace. */
export function mapIds(endpoint: AnyEndpoint, call: CallParts, changes: Changes): { call: CallParts; others: number } {
  let others = 0
  const change = (value: unknown, name: string, place: Place): unknown => {
    if (Array.isArray(value)) return value.map((item) => change(item, name, place))
    if (typeof value === 'object' && value !== null) return inside(value, place)
    if (isWorkspace(endpoint, place, name)) return changes.workspace(value)
    // 0 is the root folder, which every workspace has.
    if (!ID.test(name) || value === 0) return value
    others++
    return changes.other(value)
  }
  const inside = (values: object, place: Place) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name, place)]))
  const places = (['params', 'query', 'body'] as const).filter((place) => call[place])
  return { call: Object.fromEntries(places.map((place) => [place, inside(call[place] ?? {}, place)])), others }
}

/** The call without its workspace id; undefined if the path contains it. */
export function withoutWorkspace(endpoint: AnyEndpoint, call: CallParts): CallParts | undefined {
  if (endpoint.path.includes('{workspace_id}') || endpoint.path.startsWith('/workspaces/{id}')) return undefined
  const strip = (values: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => name !== 'workspace_id')
        .map(([name, value]) => [name, name === 'group' ? strip(value as typeof values) : value]),
    )
  return {
    ...call,
    ...(call.query && { query: strip(call.query) }),
    ...(call.body && { body: strip(call.body) }),
  }
}

/** Fields by which a caller could try to become another user, to own something or to remove a protection. */
const extras = ({ mallory, team_id }: World): Record<string, unknown> => ({
  id: 2_147_480_001,
  owner_id: mallory.id,
  owner_type: 'User',
  organization_id: 2,
  organization_admin: true,
  admin: true,
  is_admin: true,
  role: 'admin',
  kind: 'workspace_admins',
  team_id: team_id + 1,
  team_owner_id: mallory.id,
  user_id: mallory.id,
  user_token: '0'.repeat(40),
  jti: '0'.repeat(40),
  token_hash: 'x',
  status: 'active',
  drm_enabled: false,
  watermarking: false,
  watermarked: false,
  expire_workspace_access_at: '2199-01-01',
  file_managing_abilities: true,
  infected: false,
  held: false,
  version: 7,
  blob_id: 'x',
  id_path: [0],
  deleted_at: null,
  created_at: '2001-01-01T00:00:00.000Z',
  last_updated_user_id: mallory.id,
  last_seen_at: '2099-01-01T00:00:00.000Z',
})

/** Adds undeclared fields to the call: to the body and its objects, or to the query if there is no body. */
export function withExtras(endpoint: AnyEndpoint, call: CallParts, world: World): CallParts {
  const more = extras(world)
  // Query and body are read together, and a body field counts inside its object and beside it, so a field declared in
  // one place is not undeclared in another.
  const inObjects = Object.keys(endpoint.body.shape).map((name) => shapeOfObject(endpoint, name))
  const shapes = [endpoint.params.shape, endpoint.query.shape, endpoint.body.shape, ...inObjects]
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape)))
  const undeclared = (values: object) =>
    Object.fromEntries(Object.entries(more).filter(([name]) => !known.has(name) && !(name in values)))
  if (!call.body || endpoint.raw) return { ...call, query: { ...flat(undeclared(call.query ?? {})), ...call.query } }
  const body = Object.fromEntries(
    Object.entries(call.body).map(([name, value]) => [
      name,
      isObject(value) ? { ...undeclared(value), ...value } : value,
    ]),
  )
  return { ...call, body: { ...undeclared(call.body), ...body } }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shapeOfObject(endpoint: AnyEndpoint, name: string): object {
  const declared = endpoint.body.shape[name] as { def?: { shape?: object; innerType?: { def: { shape?: object } } } }
  return declared.def?.shape ?? declared.def?.innerType?.def.shape ?? {}
}

/** Drops objects, because a query has only text values. */
const flat = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'object'))
