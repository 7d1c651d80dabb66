import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { contentOf, matrixRows, rightfulCaller, ROLES } from './access-matrix.ts'
import { comparable } from './comparable.ts'
import { mapIds, namesWorkspace, withExtras, withoutWorkspace } from './foreign-calls.ts'
import { startTestService, type TestService } from './start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from './world.ts'

// Calls every endpoint with mismatched ids, absent ids and undeclared fields.

let service: TestService
let world: World
/** Administers a separate workspace in the same team and is not in the world's workspace. */
let eve: Person
let workspaceOfEve: number
/** Another workspace of alice's, who also administers the world's. */
let secondOfAlice: number
/** In the world's workspace, in a group without rights. */
let powerless: Person

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const { tina, alice, team_id, workspace_id } = world
  const team = { allowed_workspaces: 1000, allowed_admins: 1000 }
  await tina.call(api.teams.update, { params: { id: team_id }, body: { team } })
  eve = await createPerson(service, 'eve')
  await tina.call(api.teams.addMember, { params: { id: team_id }, body: { email: eve.email } })
  const create = async (person: Person) =>
    (await person.call(api.workspaces.create, { body: { workspace: { name: 'Own', team_id } } })).id
  workspaceOfEve = await create(eve)
  secondOfAlice = await create(alice)
  powerless = await createPerson(service, 'powerless')
  const { id } = await alice.call(api.groups.create, { body: { group: { name: 'Powerless', workspace_id } } })
  await addMember(alice, workspace_id, id, powerless)
})
afterAll(() => service.close())

interface Answer {
  status: number
  text: string
}

const rowOf = new Map(matrixRows.map(({ endpoint, row }) => [endpoint, row]))

/** The answer without its request id. */
async function send(person: Person, endpoint: AnyEndpoint, call: CallParts): Promise<Answer> {
  const { path, init } = requestOf(endpoint, call, contentOf(rowOf.get(endpoint), world))
  const response = await person.fetch(path, init)
  const text = await response.text()
  return { status: response.status, text: text.replaceAll(response.headers.get('x-request-id') ?? '', '') }
}

const ABSENT_ID = 2_147_480_000
const absent = (value: unknown) => (typeof value === 'number' ? ABSENT_ID : randomUUID())

/** Leaves out what is not in the workspace, as after a deletion. */
const LEAVES_OUT = new Set(['files.infoBatch', 'permissions.reach'])

/** The workspace is optional and defaults to that of the group, or to none (contract). */
const OPTIONAL = new Set(['groups.addMember', 'users.remind'])

/** Without a workspace, they are about all workspaces of the caller. */
const OF_CALLER = new Set(['news.list', 'news.markRead'])

const ofWorkspaces = matrixRows.filter(({ endpoint }) => namesWorkspace(endpoint))

describe.each(ofWorkspaces)('$name', ({ name, endpoint, row }) => {
  const makeCall = async () => (await row.call(world, service)) as CallParts
  const rightful = () => rightfulCaller(world, row)

  it('B1, B3: accepts no id of one workspace together with another workspace', async (context) => {
    const call = await makeCall()
    const foreign = (workspace_id: number) =>
      mapIds(endpoint, call, { workspace: () => workspace_id, other: (value) => value })
    const { others } = foreign(0)
    if (others === 0) return context.skip('it takes no id but the workspace')
    context.task.meta.attempts = 2
    for (const [person, workspace_id] of [
      [eve, workspaceOfEve],
      [world.alice, secondOfAlice],
    ] as const) {
      const { status, text } = await send(person, endpoint, foreign(workspace_id).call)
      if (LEAVES_OUT.has(name)) expect([status, text]).toEqual([endpoint.success, '[]'])
      else expect([status, JSON.parse(text)]).toMatchObject([404, { error: { code: 404 } }])
    }
    expect((await send(rightful(), endpoint, call)).status).toBe(endpoint.success)
  })

  it('B1: is refused without its workspace to a user of another one', async (context) => {
    const bare = withoutWorkspace(endpoint, await makeCall())
    if (!bare) return context.skip('the workspace is a part of its path')
    if (OF_CALLER.has(name)) return context.skip('it is then about the own workspaces')
    expect([400, 403, 404, 422]).toContain((await send(eve, endpoint, bare)).status)
    if (OPTIONAL.has(name)) return
    expect([400, 404, 422]).toContain((await send(rightful(), endpoint, bare)).status)
  })

  it('B1: is refused with an invalid workspace id', async (context) => {
    const call = await makeCall()
    const values = [0, -1, 'x', '1e3', ABSENT_ID, [world.workspace_id, workspaceOfEve]]
    context.task.meta.attempts = values.length
    for (const value of values) {
      const odd = mapIds(endpoint, call, { workspace: () => value, other: (id) => id }).call
      expect([400, 404, 422]).toContain((await send(rightful(), endpoint, odd)).status)
    }
  })
})

describe.each(matrixRows)('$name', ({ endpoint, row }) => {
  const makeCall = async () => (await row.call(world, service)) as CallParts
  const rightful = () => rightfulCaller(world, row)

  it('B2: gives the same answer for hidden objects as for absent ones', async (context) => {
    const call = await makeCall()
    const nowhere = mapIds(endpoint, call, { workspace: (value) => value, other: absent })
    const nowhereAtAll = mapIds(endpoint, call, { workspace: () => ABSENT_ID, other: absent })
    const blind = ROLES.filter((_, at) => row.outcomes[at] === 404).map((role) => world[role])
    let attempts = 0
    for (const person of blind) {
      const told = await send(person, endpoint, call)
      expect([told.status, await send(person, endpoint, nowhere.call)]).toEqual([404, told])
      expect(await send(person, endpoint, nowhereAtAll.call)).toEqual(told)
      attempts += 2
    }
    // A refusal to a member without rights is the same, whether the object exists or not.
    const told = await send(powerless, endpoint, call)
    if (told.status >= 400 && nowhere.others > 0 && namesWorkspace(endpoint)) {
      expect(await send(powerless, endpoint, nowhere.call)).toEqual(told)
      attempts++
    }
    if (attempts === 0) return context.skip('nothing of it is hidden from anybody')
    context.task.meta.attempts = attempts
  })

  it('B2, B4: answers HEAD like GET, without a body', async (context) => {
    if (endpoint.method !== 'GET' || endpoint.eventStream) return context.skip('it has no HEAD')
    const { path } = requestOf(endpoint, await makeCall())
    for (const role of ROLES) {
      const head = await world[role].fetch(path, { method: 'HEAD' })
      expect([role, head.status, await head.text()]).toEqual([role, (await world[role].fetch(path)).status, ''])
    }
  })

  it('B5: ignores fields that it does not declare', async () => {
    const expected = await send(rightful(), endpoint, await makeCall())
    const answer = await send(rightful(), endpoint, withExtras(endpoint, await makeCall(), world))
    expect(expected.status).toBe(endpoint.success)
    expect(comparable(answer, endpoint)).toEqual(comparable(expected, endpoint))
  })
})
