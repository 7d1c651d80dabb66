import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, Call } from '../../contract/endpoint.ts'
import { errorReply } from '../../contract/errors.ts'
import { api } from '../../contract/index.ts'
import { matrixRows, rightfulCaller, ROLE_NAMES, ROLES } from './access-matrix.ts'
import { type Forgery, forgeries, sendFolded, sendRaw } from './forgeries.ts'
import { startTestService, type TestService } from './start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from './world.ts'

let service: TestService
let world: World
/** Was in the workspace. */
let former: Person
/** In the workspace by a group whose access has ended, and by one that has no rights. */
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
      const status = await world[role].statusOf(endpoint, await makeCall())
      expect(status).toBe(outcome === 'ok' ? endpoint.success : outcome)
    },
  )

  it('B4: answers a former member as an outsider, and one whose access has ended as one without rights', async () => {
    const statusOf = async (person: Person) => person.statusOf(endpoint, await makeCall())
    expect(await statusOf(former)).toBe(await statusOf(world.mallory))
    expect(await statusOf(expired)).toBe(await statusOf(powerless))
  })

  describe('with a forged signature', () => {
    let call: Call<AnyEndpoint>
    beforeAll(async () => void (call = await makeCall()))

    /** The call is valid, so that nothing but the forgery stands in its way. */
    async function refuses(forged: readonly Forgery[]): Promise<void> {
      const { path, init } = requestOf(endpoint, call, 'bytes')
      for (const { what, headers } of forged) {
        const { status, type, text } = await sendRaw(service.url + path, init, headers)
        expect([what, status, type]).toEqual([what, 401, 'application/json; charset=UTF-8'])
        expect(z.parse(errorReply, JSON.parse(text)).error.code).toBe(401)
      }
    }
    const forged = () => forgeries(rightfulCaller(world, row).credentials, world.mallory.credentials)

    it('A1: refuses a missing, empty, unknown or zero key, token, secret or signature', async ({ task }) => {
      task.meta.attempts = forged().A1.length
      await refuses(forged().A1)
    })

    it('A2: refuses an expiry that is over, too far ahead or malformed', async ({ task }) => {
      task.meta.attempts = forged().A2.length
      await refuses(forged().A2)
    })

    it('A3: refuses doubled, folded and misspelt headers', async ({ task }) => {
      task.meta.attempts = forged().A3.length + 1
      await refuses(forged().A3)
      const { path, init } = requestOf(endpoint, call, 'bytes')
      expect([400, 401]).toContain(await sendFolded(service.url + path, init, rightfulCaller(world, row).credentials))
    })

    it('A4: refuses a signature in another spelling', async ({ task }) => {
      task.meta.attempts = forged().A4.length
      await refuses(forged().A4)
    })

    it('A5: refuses key, token and expiry cut at another place', async ({ task }) => {
      task.meta.attempts = forged().A5.length
      await refuses(forged().A5)
    })

    it('A6: refuses the signature of one user with the token of another', async ({ task }) => {
      task.meta.attempts = forged().A6.length
      await refuses(forged().A6)
    })

    it('A1, A2, A3, A4, A5, A6: has done nothing, so that the call still succeeds', async () => {
      expect(await rightfulCaller(world, row).statusOf(endpoint, call, 'bytes')).toBe(endpoint.success)
    })
  })
})
