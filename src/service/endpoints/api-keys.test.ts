import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { type Scope, scopeNames } from '../../contract/scopes.ts'
import { urlOf } from '../../contract/url.ts'
import { Client } from '../testing/client.ts'
import { readDocuments } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(() => service.close())
beforeEach(() => world.alice.call(api.workspaces.enableApiAccess, { params: { id: room.workspace_id } }))
afterEach(() => service.setClock(undefined))

const { apiKeys } = api
type Key = Reply<typeof apiKeys.create>

const create = (person: Person, scopes: Scope[] = [...scopeNames], expires_at?: string) =>
  person.call(apiKeys.create, { body: { name: 'Script', scopes, expires_at } })
const using = ({ public_key: key, secret_key: secret, user_token: token }: Key) =>
  new Client(service.url, { key, secret, token })
const meStatus = (key: Key) => using(key).statusOf(api.users.me, {})
const inRoom = () => ({ query: { workspace_id: room.workspace_id } })
const groupsStatus = (key: Key) => using(key).statusOf(api.groups.list, inRoom())
const find = async (person: Person, id: number) =>
  (await person.call(apiKeys.list, {})).api_keys.find((key) => key.id === id)

describe('a personal key', () => {
  it('signs for its own user', async () => {
    expect((await using(await create(world.bob)).call(api.users.me, {})).id).toBe(world.bob.id)
  })

  it('signs for no other user', async () => {
    const client = using({ ...(await create(world.bob)), user_token: world.alice.user_token })
    expect(await client.statusOf(api.users.me, {})).toBe(401)
  })

  it('never has more rights than its user', async () => {
    const key = await create(world.bob)
    expect(await using(key).statusOf(api.organization.listMembers, {})).toBe(403)
    expect(await using(key).statusOf(api.workspaces.listMembers, { params: { id: room.workspace_id } })).toBe(403)
  })

  it('of an organization admin sees no user tokens', async () => {
    const { users } = await using(await create(world.olivia)).call(api.organization.listMembers, {})
    expect(users.map((user) => user.user_token)).toEqual(users.map(() => ''))
  })

  it('shows when and from which address it was last used, updated once a minute', async () => {
    const key = await create(world.bob)
    const start = Date.now()
    const use = async (seconds: number) => {
      service.setClock(new Date(start + seconds * 1000))
      const response = await using(key).fetch('/api/v1/users/me', {}, start + seconds * 1000)
      expect(response.status).toBe(200)
      service.setClock(undefined)
    }
    const usedAt = async () => (await find(world.bob, key.id))?.last_used_at
    await use(0)
    await expect.poll(usedAt).toBe(new Date(start).toISOString())
    expect((await find(world.bob, key.id))?.last_used_ip).toBe('127.0.0.1')
    await use(59)
    await use(61)
    await expect.poll(usedAt).toBe(new Date(start + 61_000).toISOString())
  })
})

describe('the secret', () => {
  it('A11: is shown once, together with its token', async () => {
    const key = await create(world.bob)
    expect(key.secret_key).toMatch(/^[0-9a-f]{64}$/)
    expect(key.public_key).toMatch(/^[0-9a-f]{40}$/)
    expect(key.user_token).toBe(world.bob.user_token)
    const listed = await world.bob.fetch(urlOf(apiKeys.list))
    expect(await listed.text()).not.toContain(key.secret_key)
  })

  it('A11: is stored encrypted', async () => {
    const key = await create(world.bob)
    const row = await service.services.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', key.id)
      .executeTakeFirstOrThrow()
    expect(row.secret_sealed.toString('latin1')).not.toContain(key.secret_key)
    expect(service.services.vault.open(row.secret_sealed)).toBe(key.secret_key)
  })

  it('A9: is replaced by rotation, and the old one stops working at once', async () => {
    const old = await create(world.bob)
    const fresh = await world.bob.call(apiKeys.rotate, { params: { id: old.id } })
    expect([fresh.id, fresh.public_key]).toEqual([old.id, old.public_key])
    expect(await meStatus(old)).toBe(401)
    expect(await meStatus(fresh)).toBe(200)
  })
})

describe('a personal key stops working', () => {
  it('A10: permanently when it is revoked', async () => {
    const key = await create(world.bob)
    const params = { id: key.id }
    expect((await world.bob.call(apiKeys.update, { params, body: { revoked: true } })).status).toBe('revoked')
    expect(await meStatus(key)).toBe(401)
    expect(await world.bob.statusOf(apiKeys.update, { params, body: { revoked: false } })).toBe(409)
    expect(await world.bob.statusOf(apiKeys.rotate, { params })).toBe(409)
  })

  it('A10: when it expires', async () => {
    const end = Date.now() + 60_000
    const key = await create(world.bob, ['files:read'], new Date(end).toISOString())
    expect(await meStatus(key)).toBe(200)
    service.setClock(new Date(end))
    expect((await using(key).fetch('/api/v1/users/me', {}, end)).status).toBe(401)
    service.setClock(undefined)
    const params = { id: key.id }
    const body = { expires_at: new Date(Date.now() - 1).toISOString() }
    expect(await world.bob.statusOf(apiKeys.update, { params, body })).toBe(422)
    expect((await world.bob.call(apiKeys.update, { params, body: { expires_at: null } })).expires_at).toBeNull()
  })

  it.each([
    ['2030-01-01T00:00:00.111Z', `2030-01-01T00:00:00.${'1'.repeat(200)}Z`],
    ['2029-12-31T08:00:00.000Z', '2030-01-01T00:00:00+16:00'],
    ['2030-01-01T23:59:00.000Z', '2030-01-01T00:00:00-23:59'],
    ['9999-12-31T23:59:59.000Z', '9999-12-31T23:59:59Z'],
  ])('K9: at %s, whatever the notation', async (expected, expires_at) => {
    const key = await create(world.bob, ['files:read'], expires_at)
    expect(key.expires_at).toBe(expected)
    const changed = await world.bob.call(apiKeys.update, { params: { id: key.id }, body: { expires_at } })
    expect(changed.expires_at).toBe(expected)
    const renamed = await world.bob.call(apiKeys.update, { params: { id: key.id }, body: { name: 'Other' } })
    expect(renamed.expires_at).toBe(expected)
  })

  it('K9: never beyond the year 9999', async () => {
    const { id } = await create(world.bob)
    for (const expires_at of ['9999-12-31T23:59:59-15:59', '9999-12-31T23:59:59-00:01']) {
      const body = { name: 'Script', scopes: ['files:read' as const], expires_at }
      expect(await world.bob.statusOf(apiKeys.create, { body })).toBe(422)
      expect(await world.bob.statusOf(apiKeys.update, { params: { id }, body })).toBe(422)
    }
  })

  it('A10: when its user is deleted', async () => {
    const zoe = await createPerson(service, 'zoe')
    const key = await create(zoe)
    await world.olivia.call(api.users.remove, { query: { user: { id: zoe.id } } })
    expect(await meStatus(key)).toBe(401)
  })

  it('A10: in a workspace that its user leaves', async () => {
    const yan = await createPerson(service, 'yan')
    const body = { workspace_id: room.workspace_id, email: yan.email, send_email: false }
    await world.alice.call(api.groups.addMember, { params: { id: room.group_id }, body })
    const key = await create(yan)
    expect(await groupsStatus(key)).toBe(200)
    const query = { workspace_id: room.workspace_id, user_id: yan.id }
    await world.alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await groupsStatus(key)).toBe(404)
  })
})

describe('an expiring URL requested with a personal key', () => {
  const ask = async (key: Key) => {
    const folder = await room.folder('Finance')
    await room.grant(folder, 'download')
    const { id: file_id } = await room.upload(world.alice, folder, 'plan.txt')
    const { expiring_url } = await using(key).call(api.downloads.getFile, { params: { file_id }, ...inRoom() })
    return async () => (await fetch(service.url + new URL(expiring_url).pathname)).status
  }

  it('A10, C9: ends with the key', async () => {
    const key = await create(world.bob)
    const status = await ask(key)
    expect(await status()).toBe(200)
    await world.bob.call(apiKeys.update, { params: { id: key.id }, body: { revoked: true } })
    expect(await status()).toBe(404)
  })

  it('K8: ends when its key loses the scope, and works again when the scope returns', async () => {
    const key = await create(world.bob, ['downloads:write', 'files:read'])
    const status = await ask(key)
    const give = (scopes: Scope[]) => world.bob.call(apiKeys.update, { params: { id: key.id }, body: { scopes } })
    expect(await status()).toBe(200)
    await give(['files:read'])
    expect(await status()).toBe(404)
    await give(['downloads:write'])
    expect(await status()).toBe(200)
  })

  it('K8: of a page depends on the scope it was made under, whatever else the key may do', async () => {
    const folder = await room.folder('Pages')
    await room.grant(folder, 'view')
    const { id } = await room.upload(world.alice, folder, 'page.pdf', new Uint8Array(samplePdf([{}])))
    await readDocuments(service)
    const key = await create(world.bob, ['files:read', 'downloads:write'])
    const { viewer_image } = await using(key).call(api.files.get, { params: { id }, ...inRoom() })
    const status = async () => (await fetch(service.url + new URL(viewer_image.expiring_url).pathname)).status
    expect(await status()).toBe(200)
    await world.bob.call(apiKeys.update, { params: { id: key.id }, body: { scopes: ['downloads:write'] } })
    expect(await status()).toBe(404)
  })

  it('K8: ends when the secret that signed for it is replaced', async () => {
    const key = await create(world.bob)
    const status = await ask(key)
    await world.bob.call(apiKeys.rotate, { params: { id: key.id } })
    expect(await status()).toBe(404)
  })

  it('K8: ends the moment its key expires', async () => {
    const soon = new Date(Date.now() + 60_000)
    const status = await ask(await create(world.bob, [...scopeNames], soon.toISOString()))
    service.setClock(new Date(soon.getTime() - 1))
    expect(await status()).toBe(200)
    service.setClock(soon)
    expect(await status()).toBe(404)
  })

  it('ends with the API access of its workspace', async () => {
    const status = await ask(await create(world.bob))
    await world.alice.call(api.workspaces.disableApiAccess, { params: { id: room.workspace_id } })
    expect(await status()).toBe(404)
  })
})

describe('API access of a workspace', () => {
  const off = () => world.alice.call(api.workspaces.disableApiAccess, { params: { id: room.workspace_id } })

  it('A10: shuts out personal keys, and only them, while it is off', async () => {
    const key = await create(world.bob)
    expect(await groupsStatus(key)).toBe(200)
    await off()
    expect(await groupsStatus(key)).toBe(403)
    expect(await world.bob.statusOf(api.groups.list, inRoom())).toBe(200)
  })

  it('reveals nothing to outsiders while it is off', async () => {
    await off()
    expect(await groupsStatus(await create(world.mallory))).toBe(404)
  })

  it('hides the workspace from listings by personal keys while it is off', async () => {
    const client = using(await create(world.bob))
    const ids = async () => (await client.call(api.users.workspaces, {})).workspaces.map((each) => each.id)
    expect(await ids()).toEqual([room.workspace_id])
    await off()
    expect(await ids()).toEqual([])
  })

  it('is on in a workspace that a personal key creates', async () => {
    const body = { workspace: { name: 'Scripted', team_id: world.team_id } }
    const client = using(await create(world.alice))
    const { id } = await client.call(api.workspaces.create, { body })
    expect(await world.alice.call(api.workspaces.getApiAccess, { params: { id } })).toMatchObject({ enabled: true })
  })

  it('names the members with working keys, and when those were last used', async () => {
    const { workspace_id } = await createRoom(world)
    const key = await create(world.bob)
    await world.bob.call(apiKeys.update, { params: { id: (await create(world.bob)).id }, body: { revoked: true } })
    await meStatus(key)
    const active = (await world.bob.call(apiKeys.list, {})).api_keys.filter((each) => each.status === 'active')
    const bob = async () => {
      const { members } = await world.alice.call(api.workspaces.listApiAccessMembers, { params: { id: workspace_id } })
      return members.find((member) => member.user_id === world.bob.id)
    }
    await expect.poll(bob).toMatchObject({ active_api_keys: active.length, last_used_at: expect.stringMatching(/Z$/) })
  })
})

describe('scopes', () => {
  const endpoints = Object.entries(api).flatMap(([section, of]) =>
    Object.entries(of).map(([key, endpoint]) => ({ name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint })),
  )
  const scoped = endpoints.filter(({ endpoint }) => endpoint.scope !== 'any')
  const statusWithout = async ({ scope, path, method }: AnyEndpoint) => {
    const others = scopeNames.filter((name) => name !== scope)
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 1]))
    return (await using(await create(world.alice, others)).fetch(urlOf({ path }, { params }), { method })).status
  }

  it.each(scoped)('A10: $name is refused without its scope, before anything is read', async ({ endpoint }) => {
    expect(await statusWithout(endpoint)).toBe(403)
  })

  it('are those that available_scopes lists, and each one opens some endpoint', async () => {
    const { scopes } = await world.bob.call(apiKeys.listAvailableScopes, {})
    expect(scopes.map((scope) => scope.name)).toEqual(scopeNames)
    const used = new Set(endpoints.map(({ endpoint }) => endpoint.scope))
    expect(scopeNames.filter((name) => !used.has(name))).toEqual([])
  })

  it('A12: can be changed by the user', async () => {
    const key = await create(world.bob, ['files:read'])
    expect(await groupsStatus(key)).toBe(403)
    await world.bob.call(apiKeys.update, { params: { id: key.id }, body: { scopes: ['groups:read'] } })
    expect(await groupsStatus(key)).toBe(200)
  })

  it('must be known, and there must be at least one', async () => {
    const statusOf = (scopes: string[]) =>
      world.bob.statusOf(apiKeys.create, { body: { name: 'x', scopes: scopes as Scope[] } })
    expect([await statusOf([]), await statusOf(['everything'])]).toEqual([422, 422])
  })
})

describe('keys of other users', () => {
  it('A12: are neither listed nor found', async () => {
    const { id } = await create(world.bob)
    expect(await find(world.alice, id)).toBeUndefined()
    const refusals = await Promise.all(
      [id, 999_999].map((each) => world.alice.refused(apiKeys.rotate, { params: { id: each } })),
    )
    expect(refusals.map((each) => each.code)).toEqual([404, 404])
    expect(refusals[0]?.message).toBe(refusals[1]?.message)
  })

  it('do not include the key pair of the organization', async () => {
    const row = await service.services.db
      .selectFrom('api_keys')
      .select('id')
      .where('user_id', 'is', null)
      .executeTakeFirstOrThrow()
    expect(await world.olivia.statusOf(apiKeys.rotate, { params: { id: row.id } })).toBe(404)
  })
})
