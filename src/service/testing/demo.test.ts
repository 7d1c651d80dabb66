import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { fillDealRoom } from '../../embedded/demo/deal-room.ts'
import { DEMO_PEOPLE, INES } from '../../embedded/demo/people.ts'
import { startTestService, type TestService } from './start-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

it('the demo is made once, also where the first admin is not the one of the demo', async () => {
  const { key: apiKey, secret: apiSecret, token: adminToken } = service.admin.credentials
  const secrets = { apiKey, apiSecret, adminToken, masterKey: service.config.masterKey }
  // Made a second time, it finds everything there.
  for (const _ of [1, 2]) await fillDealRoom(service.url, secrets, new AbortController().signal)

  const { memberships } = await service.admin.call(api.organization.listMembers, {})
  expect(memberships.map((user) => user.email)).toEqual(expect.arrayContaining(DEMO_PEOPLE.map(({ email }) => email)))
  expect(memberships).toHaveLength(DEMO_PEOPLE.length + 1)
  const ines = memberships.find((user) => user.email === INES.email)
  expect(ines).toMatchObject({ organization_admin: true, first_name: 'Ines', status: 'active' })
  const { workspaces } = await service.as(ines ?? { user_token: '' }).call(api.users.workspaces, {})
  expect(workspaces.map(({ name, admin }) => ({ name, admin }))).toEqual(
    expect.arrayContaining([
      { name: 'Project Harbour', admin: true },
      { name: 'Board papers', admin: true },
    ]),
  )
  expect(workspaces).toHaveLength(2)
})
