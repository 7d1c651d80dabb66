import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const { organization } = api
const addAdmin = (user_id: number) => world.olivia.call(organization.addAdmin, { body: { user_id } })
const removeAdmin = (user_id: number) => world.olivia.call(organization.removeAdmin, { query: { user_id } })

describe('the organization', () => {
  it('changes only the given fields', async () => {
    await world.olivia.call(organization.update, { body: { name: 'Acme', url: 'https://acme.example' } })
    const updated = await world.olivia.call(organization.update, { body: { description: 'Ships\nand harbours' } })
    expect(updated).toMatchObject({
      name: 'Acme',
      url: 'https://acme.example',
      description: 'Ships\nand harbours',
      location: '',
    })
    expect(await world.bob.call(organization.get, {})).toEqual(updated)
  })

  it('stores its support information in the fields of the organization', async () => {
    await world.olivia.call(organization.updateSupportInformation, { body: { email: 'help@acme.example' } })
    const support = await world.olivia.call(organization.updateSupportInformation, { body: { phone_number: '+351 1' } })
    expect(support).toMatchObject({ support_number: '+351 1', support_email: 'help@acme.example', support_website: '' })
    expect(await world.bob.call(organization.get, {})).toMatchObject({ support_number: '+351 1' })
  })

  it('also answers under its id; under another id nothing is read or changed', async () => {
    const { id, name } = await world.olivia.call(organization.get, {})
    expect((await world.olivia.fetch(`/api/v1/organizations/${id}`)).status).toBe(200)
    const change = { method: 'PUT', body: JSON.stringify({ name: 'Foreign' }) }
    expect((await world.olivia.fetch(`/api/v1/organizations/${id + 1}`, change)).status).toBe(404)
    expect(await world.olivia.call(organization.get, {})).toMatchObject({ name })
    expect((await world.olivia.fetch(`/api/v1/organizations/${id}`, change)).status).toBe(200)
    expect(await world.olivia.call(organization.get, {})).toMatchObject({ name: 'Foreign' })
  })
})

describe('its users', () => {
  it('are listed under both paths, with tokens and whether they are admins', async () => {
    const { memberships, users } = await world.olivia.call(organization.listMembers, {})
    expect(users).toEqual(memberships)
    const [olivia, bob] = [world.olivia, world.bob].map(({ id }) => users.find((user) => user.id === id))
    expect(olivia).toMatchObject({ organization_admin: true, status: 'active' })
    expect(bob).toMatchObject({ organization_admin: false, status: 'invited', user_token: world.bob.user_token })
    expect(bob?.jti).toBe(world.bob.user_token)
  })

  it('are found by e-mail address in any case', async () => {
    const { users } = await world.olivia.call(organization.listMembers, { query: { email: 'BOB@example.com' } })
    expect(users.map((user) => user.id)).toEqual([world.bob.id])
    const nobody = await world.olivia.call(organization.listMembers, { query: { email: 'bob@' } })
    expect(nobody.users).toEqual([])
  })

  it('have no tokens in replies if the caller omits them', async () => {
    const headers = { 'x-api-omit-user-tokens': 'true' }
    const response = await world.olivia.fetch('/api/v1/organization/memberships', { headers })
    expect(await response.text()).not.toContain(world.bob.user_token)
    const me = await world.bob.fetch('/api/v1/users/me', { headers })
    expect(await me.json()).toMatchObject({ id: world.bob.id, jti: '', user_token: '' })
  })
})

describe('organization admins', () => {
  it('are added once: adding again returns the original date', async () => {
    const dora = await createPerson(service, 'dora')
    const added = await addAdmin(dora.id)
    expect(added.user_id).toBe(dora.id)
    expect(await addAdmin(dora.id)).toEqual(added)
    expect((await dora.call(organization.listMembers, {})).users.length).toBeGreaterThan(1)
    await removeAdmin(dora.id)
    expect(await dora.statusOf(organization.listMembers, {})).toBe(403)
  })

  it('must be users of the organization: unknown ids and plain users are 404', async () => {
    expect(await world.olivia.statusOf(organization.addAdmin, { body: { user_id: 999_999 } })).toBe(404)
    expect(await world.olivia.statusOf(organization.removeAdmin, { query: { user_id: 999_999 } })).toBe(404)
    expect(await world.olivia.statusOf(organization.removeAdmin, { query: { user_id: world.bob.id } })).toBe(404)
  })

  it('cannot all be removed', async () => {
    const query = { user_id: world.olivia.id }
    const { code, message } = await world.olivia.refused(organization.removeAdmin, { query })
    expect([code, message]).toEqual([409, 'The last organization admin stays.'])
  })

  it('cannot all be removed by two concurrent calls', async () => {
    const eve = await createPerson(service, 'eve')
    await addAdmin(eve.id)
    const statuses = await Promise.all([
      world.olivia.statusOf(organization.removeAdmin, { query: { user_id: eve.id } }),
      eve.statusOf(organization.removeAdmin, { query: { user_id: world.olivia.id } }),
    ])
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    if (statuses[1] === 204) await eve.call(organization.addAdmin, { body: { user_id: world.olivia.id } })
  })
})
