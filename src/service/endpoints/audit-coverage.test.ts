import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { accessMatrix, type Row } from '../testing/access-matrix.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

type Line = Reply<typeof api.audit.export>[number]

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

/** Changing by method, but nothing is changed by what the matrix asks for. */
const CHANGES_NOTHING = new Set([
  'files.infoBatch',
  'groups.update',
  'groups.removeDrmExpiration',
  'groups.removeAccessExpiry',
  'workspaces.update',
  'workspaces.disableApiAccess',
])

const rows = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints).map(([key, endpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    return { name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint, row }
  }),
)

/** What happened in the workspace since `before`, the reading of the trail itself left out. */
async function verbs(before = 0): Promise<string[]> {
  const lines = await world.alice.call(api.audit.export, { params: { id: world.workspace_id } })
  const records = lines.filter((line): line is Extract<Line, { type: 'record' }> => line.type === 'record')
  return records.flatMap(({ entry }) => (entry.verb === 'exported' ? [] : [entry.verb])).slice(before)
}

const namesWorkspace = (path: string, call: Call<AnyEndpoint>) =>
  path.startsWith('/workspaces/{id}') || JSON.stringify(call).includes(`"workspace_id":${world.workspace_id}`)

describe.each(rows)('$name', ({ name, endpoint, row }) => {
  it('leaves one entry when an outsider tries it, and none where it names no workspace', async () => {
    const call = (await row?.call(world, service)) as Call<AnyEndpoint>
    const isNamed = namesWorkspace(endpoint.path, call)
    const before = (await verbs()).length
    const status = await world.mallory.statusOf(endpoint, call)
    if (isNamed) expect(status).toBe(404)
    expect(await verbs(before)).toEqual(isNamed ? ['refused'] : [])
  })

  if (endpoint.method === 'GET' || CHANGES_NOTHING.has(name)) return
  it('leaves an entry when it is done', async () => {
    const call = (await row?.call(world, service)) as Call<AnyEndpoint>
    const isNamed = namesWorkspace(endpoint.path, call)
    const before = (await verbs()).length
    const status = await world.alice.statusOf(endpoint, call)
    if (isNamed) expect(status).toBe(endpoint.success)
    const added = await verbs(before)
    expect(added.length > 0).toBe(isNamed)
    expect(added).not.toContain('refused')
  })
})
