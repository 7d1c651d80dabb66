import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { accessMatrix, contentOf, ROLES, type Row } from '../testing/access-matrix.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

// Every endpoint of the contract, with the calls of the access matrix: each refusal and each change leaves exactly one
// audit entry, in the trail of the workspace that the call names, or else in the organization's.

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

/** Changing methods whose call in the matrix changes nothing, or only a mark of the caller's own. */
const CHANGES_NOTHING = new Set([
  'brandings.preview',
  'brandings.previewForOrganization',
  'engagement.record',
  'files.infoBatch',
  'groups.removeDrmExpiration',
  'groups.removeAccessExpiry',
  'news.markRead',
  'notifications.showUnsubscribe',
  'organization.update',
  'organization.updateSupportInformation',
  'permissions.foresee',
  'signInCodes.create',
  'signInCodes.invitation',
  'signInCodes.redeem',
  'signInCodes.vouch',
  'system.examine',
  'teams.update',
  'uploads.append',
  'users.updateMe',
  'users.signIn',
  'watermarks.preview',
  'workspaces.setFavourite',
  'workspaces.update',
  'workspaces.disableApiAccess',
])

/** Acts that leave two entries (decisions, section 11). */
const ENTRIES: Record<string, number> = {
  'groups.setWatermarking': 2,
  'stagedRights.publish': 2,
}

const rows = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints).map(([key, endpoint]) => {
    const row = (accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>)[section]?.[key]
    return { name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint, row }
  }),
)

interface Verbs {
  workspace: string[]
  organization: string[]
}

/** The entries a call adds to the trails. Nothing is chained meanwhile, so new entries are still in the inbox. */
async function added(id: number, act: () => Promise<unknown>): Promise<Verbs> {
  const { db } = service.services
  const { last } = await db
    .selectFrom('audit_inbox')
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  await act()
  const rows = await db
    .selectFrom('audit_inbox')
    .selectAll()
    .where('id', '>', last ?? 0)
    .orderBy('id')
    .execute()
  const verbs = rows.map((row) => ({ ...row, verb: (JSON.parse(row.entry) as { verb: string }).verb }))
  return {
    workspace: verbs.filter((row) => row.workspace_id === id).map((row) => row.verb),
    organization: verbs.filter((row) => row.workspace_id === 0).map((row) => row.verb),
  }
}

/** The trail that a call belongs to. */
function trailOf(path: string, call: Call<AnyEndpoint>): keyof Verbs {
  const isNamed =
    path.startsWith('/workspaces/{') || JSON.stringify(call).includes(`"workspace_id":${world.workspace_id}`)
  return isNamed ? 'workspace' : 'organization'
}

/** A row may prepare a workspace of its own. */
const workspaceIn = (path: string, { params = {} }: { params?: { id?: number; workspace_id?: number } }) =>
  path.startsWith('/workspaces/{id}') ? (params.id ?? 0) : (params.workspace_id ?? world.workspace_id)

const only = (trail: keyof Verbs, entries: string[]): Verbs => ({ workspace: [], organization: [], [trail]: entries })

const isTried = ({ endpoint, row }: (typeof rows)[number]) =>
  endpoint.method !== 'GET' || row?.outcomes.some((outcome) => outcome !== 'ok')

describe.each(rows.filter(isTried))('$name', ({ name, endpoint, row }) => {
  const refused = ROLES.filter((_, at) => row?.outcomes[at] !== 'ok')
  const allowed = ROLES.filter((_, at) => row?.outcomes[at] === 'ok')

  it.each(refused)('I3: leaves one entry when it is refused to %s', async (role) => {
    const call = (await row?.call(world, service)) as Call<AnyEndpoint>
    const entries = await added(workspaceIn(endpoint.path, call), () =>
      world[role].statusOf(endpoint, call, contentOf(row, world)),
    )
    expect(entries).toEqual(only(trailOf(endpoint.path, call), ['refused']))
  })

  if (endpoint.method === 'GET') return
  it('I3: leaves exactly one entry per act when it succeeds', async () => {
    const call = (await row?.call(world, service)) as Call<AnyEndpoint>
    const [role = 'alice'] = allowed.includes('alice') ? ['alice' as const] : allowed
    let status = 0
    const entries = await added(
      workspaceIn(endpoint.path, call),
      async () => void (status = await world[role].statusOf(endpoint, call, contentOf(row, world))),
    )
    expect(status).toBe(endpoint.success)
    expect([...entries.workspace, ...entries.organization]).not.toContain('refused')
    const trail = trailOf(endpoint.path, call)
    expect({ ...entries, [trail]: [] }).toEqual(only(trail, []))
    const most = ENTRIES[name] ?? 1
    expect(entries[trail].length).toBeGreaterThanOrEqual(CHANGES_NOTHING.has(name) ? 0 : most)
    expect(entries[trail].length).toBeLessThanOrEqual(most)
  })
})
