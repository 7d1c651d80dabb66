import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { Client } from '../../testing/client.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { openVault } from '../../base/secrets.ts'
import { bootstrap } from './bootstrap.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const named = () => service.config.bootstrap ?? never()
const run = (changes: Partial<ReturnType<typeof named>> = {}) =>
  bootstrap(service.services.db, service.services.vault, { ...named(), ...changes })
const clientOf = (changes: Partial<ReturnType<typeof named>>) => {
  const { apiKey, apiSecret, adminToken } = { ...named(), ...changes }
  return new Client(service.url, { key: apiKey, secret: apiSecret, token: adminToken })
}

function never(): never {
  throw new Error('a test service has a first organization')
}

async function countRows() {
  const { db } = service.services
  const count = async (table: 'organizations' | 'api_keys' | 'users') =>
    (await db.selectFrom(table).select('id').execute()).length
  return [await count('organizations'), await count('api_keys'), await count('users')]
}

describe('the first start', () => {
  it('creates the organization, its key pair and an active organization admin', async () => {
    expect(await service.admin.call(api.organization.get, {})).toMatchObject({ name: 'Strongroom' })
    expect(await service.admin.call(api.users.me, {})).toMatchObject({
      email: 'olivia@example.com',
      status: 'active',
      organization_admin: true,
      user_token: named().adminToken,
    })
  })

  it('A11: stores neither the secret nor the token in readable form', async () => {
    const { db } = service.services
    const key = await db.selectFrom('api_keys').select('secret_sealed').executeTakeFirstOrThrow()
    const user = await db.selectFrom('users').select(['token_sealed', 'token_hash']).executeTakeFirstOrThrow()
    expect(key.secret_sealed.toString('latin1')).not.toContain(named().apiSecret)
    expect(user.token_sealed.toString('latin1')).not.toContain(named().adminToken)
    expect(user.token_hash).toHaveLength(32)
  })
})

describe('the audit trail', () => {
  const messages = async () => {
    const lines = await service.admin.call(api.audit.exportOrganization, {})
    return lines.flatMap((line) =>
      line.type === 'record' && line.entry.verb !== 'exported' ? [line.entry.message] : [],
    )
  }

  it('records each change by the configuration once', async () => {
    const first = [
      'added a key pair of the organization by configuration',
      'added the token of the configured organization admin',
    ]
    expect(await messages()).toEqual(first)
    await run()
    const rolled = { apiKey: 'e'.repeat(40), apiSecret: 'b'.repeat(64) }
    await run(rolled)
    await run({ ...rolled, apiSecret: 'd'.repeat(64) })
    expect(await messages()).toEqual([
      ...first,
      'added a key pair of the organization by configuration',
      'replaced a key pair of the organization by configuration',
    ])
  })
})

describe('a later start', () => {
  it('K4: makes no user an admin at an address that the user has not proved', async () => {
    const user = { email: 'ops@example.com', first_name: '', last_name: '' }
    const { id, user_token } = await service.admin.call(api.users.create, { body: { user } })
    const other = { adminToken: 'a'.repeat(40), adminEmail: 'OPS@example.com' }
    await expect(run(other)).rejects.toThrow(`BOOTSTRAP_ADMIN_EMAIL is the address of the user ${id}`)
    const ops = clientOf({ adminToken: user_token })
    expect(await ops.call(api.users.me, {})).toMatchObject({ organization_admin: false, status: 'invited' })
    await service.admin.call(api.signInCodes.vouch, { body: { email: user.email } })
    await run(other)
    expect(await clientOf(other).call(api.users.me, {})).toMatchObject({ id, organization_admin: true })
    await service.admin.call(api.organization.removeAdmin, { query: { user_id: id } })
    await service.admin.call(api.users.remove, { query: { user: { id } } })
  })

  it('changes nothing if the configuration is unchanged, even on several nodes at once', async () => {
    const [before, rows] = [await service.admin.call(api.users.me, {}), await countRows()]
    await Promise.all([run(), run(), run()])
    expect(await countRows()).toEqual(rows)
    expect(await service.admin.call(api.users.me, {})).toEqual(before)
  })

  it('adds a new key pair beside the old one', async () => {
    const rolled = { apiKey: 'a'.repeat(40), apiSecret: 'b'.repeat(64) }
    await run(rolled)
    expect(await clientOf(rolled).statusOf(api.users.me, {})).toBe(200)
    expect(await service.admin.statusOf(api.users.me, {})).toBe(200)
  })

  it('A9: takes a new secret for a key, and the old secret stops working', async () => {
    const old = { apiKey: 'f'.repeat(40), apiSecret: 'b'.repeat(64) }
    const changed = { ...old, apiSecret: 'c'.repeat(64) }
    await run(old)
    await run(changed)
    expect(await clientOf(changed).statusOf(api.users.me, {})).toBe(200)
    expect(await clientOf(old).statusOf(api.users.me, {})).toBe(401)
  })

  it('gives a new token to the admin with the same e-mail', async () => {
    const { id } = await service.admin.call(api.users.me, {})
    const changed = { adminToken: 'd'.repeat(40), adminEmail: 'Olivia@example.com' }
    await run(changed)
    expect(await clientOf(changed).call(api.users.me, {})).toMatchObject({ id, user_token: 'd'.repeat(40) })
    expect(await service.admin.statusOf(api.users.me, {})).toBe(401)
    await run()
  })

  it('adds an admin with another e-mail', async () => {
    const changed = { adminToken: 'e'.repeat(40), adminEmail: 'second@example.com' }
    await run(changed)
    const { users } = await clientOf(changed).call(api.organization.listMembers, {})
    const admins = users.filter((user) => user.organization_admin).map((user) => user.email)
    expect(admins).toEqual(expect.arrayContaining(['olivia@example.com', 'second@example.com']))
  })

  it('restores a revoked key and replaces a deleted admin, as long as both are configured', async () => {
    const configured = {
      apiKey: '1'.repeat(40),
      apiSecret: '2'.repeat(64),
      adminToken: '3'.repeat(40),
      adminEmail: 'third@example.com',
    }
    await run(configured)
    const { id } = await clientOf(configured).call(api.users.me, {})
    await service.admin.call(api.users.remove, { query: { user: { id } } })
    await service.services.db
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('public_key', '=', configured.apiKey)
      .execute()
    expect(await clientOf(configured).statusOf(api.users.me, {})).toBe(401)
    await run(configured)
    expect((await clientOf(configured).call(api.users.me, {})).id).not.toBe(id)
  })

  it('reports that the master key is another one', async () => {
    const other = openVault('0'.repeat(64))
    await expect(bootstrap(service.services.db, other, named())).rejects.toThrow('MASTER_KEY is not the one')
  })
})
