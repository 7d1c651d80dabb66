import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { errorReply } from '../../contract/errors.ts'
import { api } from '../../contract/index.ts'
import { contentOf, matrixRows, rightfulCaller, ROLE_NAMES, ROLES } from './access-matrix.ts'
import { type Forgery, forgeries, sendFolded, sendRaw } from './forgeries.ts'
import { startTestService, type TestService } from './start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from './world.ts'

let service: TestService
let world: World
/** A former member of the workspace. */
let former: Person
/**
 * Members of the workspace: `expired` through a group whose access has ended, `powerless` through one without rights.
 */
let expired: Person
let powerless: Person
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const { alice, workspace_id, group_id } = world
  const [first, second, third] = ['former', 'expired', 'powerless'].map((name) => createPerson(service, name))
  former = (await first) as Person
  expired = (await second) as Person
  powerless = (await third) as Person
  await addMember(alice, workspace_id, group_id, former)
  const query = { workspace_id, user_id: former.id }
  await alice.call(api.groups.removeMember, { params: { id: group_id }, query })
  for (const [name, person] of Object.entries({ Ended: expired, Powerless: powerless })) {
    const { id } = await alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
    await addMember(alice, workspace_id, id, person)
  }
  await service.services.db
    .updateTable('groups')
    .set({ expire_workspace_access_at: '2020-01-01' })
    .where('workspace_id', '=', workspace_id)
    .where('name', '=', 'Ended')
    .execute()
})
afterAll(() => service.close())

describe.each(matrixRows)('$name', ({ endpoint, row }) => {
  const makeCall = async () => (await row.call(world, service)) as Call<AnyEndpoint>

  it.each(ROLES.map((role, at) => ({ role, who: ROLE_NAMES[role], outcome: row.outcomes[at] })))(
    'B4: answers $outcome to the $who',
    async ({ role, outcome }) => {
      const status = await world[role].statusOf(endpoint, await makeCall(), contentOf(row, world))
      expect(status).toBe(outcome === 'ok' ? endpoint.success : outcome)
    },
  )

  // Endpoints open to everybody concern the caller's own account, and a row may prepare only the users of the matrix
  // for them.
  it.skipIf(row.outcomes.every((outcome) => outcome === 'ok'))(
    'B4: answers a former member like an outsider, and a member with expired access like one without rights',
    async () => {
      const statusOf = async (person: Person) => person.statusOf(endpoint, await makeCall(), contentOf(row, world))
      expect(await statusOf(former)).toBe(await statusOf(world.mallory))
      expect(await statusOf(expired)).toBe(await statusOf(powerless))
    },
  )

  describe('with a forged signature', () => {
    let call: Call<AnyEndpoint>
    beforeAll(async () => void (call = await makeCall()))

    /**
     * The forgeries that are not refused with 401 in the contract's shape. Nothing but the forgery is wrong with the
     * call.
     */
    async function survivors(forged: readonly Forgery[]): Promise<string[]> {
      const { path, init } = requestOf(endpoint, call, contentOf(row, world))
      const survived = []
      for (const { what, headers } of forged) {
        const { status, type, text } = await sendRaw(service.url + path, init, headers)
        const isRefused = status === 401 && type === 'application/json; charset=UTF-8' && is401(text)
        if (!isRefused) survived.push(`${what}: ${status}`)
      }
      return survived
    }
    const forged = () => forgeries(rightfulCaller(world, row).credentials, world.mallory.credentials)

    it('A1: refuses a missing, empty, unknown or zero key, token, secret or signature', async ({ task }) => {
      task.meta.attempts = forged().A1.length
      expect(await survivors(forged().A1)).toEqual([])
    })

    it('A2: refuses an expiry that is past, too far ahead or malformed', async ({ task }) => {
      task.meta.attempts = forged().A2.length
      expect(await survivors(forged().A2)).toEqual([])
    })

    it('A3: refuses repeated, folded and misspelt headers', async ({ task }) => {
      task.meta.attempts = forged().A3.length + 1
      expect(await survivors(forged().A3)).toEqual([])
      const { path, init } = requestOf(endpoint, call, contentOf(row, world))
      expect([400, 401]).toContain(await sendFolded(service.url + path, init, rightfulCaller(world, row).credentials))
    })

    it('A4: refuses a signature in another spelling', async ({ task }) => {
      task.meta.attempts = forged().A4.length
      expect(await survivors(forged().A4)).toEqual([])
    })

    it('A5: refuses key, token and expiry divided at another position', async ({ task }) => {
      task.meta.attempts = forged().A5.length
      expect(await survivors(forged().A5)).toEqual([])
    })

    it('A6: refuses the signature of one user with the token of another', async ({ task }) => {
      task.meta.attempts = forged().A6.length
      expect(await survivors(forged().A6)).toEqual([])
    })

    it('A1, A2, A3, A4, A5, A6: has had no effect, so the call still succeeds', async () => {
      expect(await rightfulCaller(world, row).statusOf(endpoint, call, contentOf(row, world))).toBe(endpoint.success)
    })
  })
})

const is401 = (text: string) => errorReply.safeParse(JSON.parse(text)).data?.error.code === 401
