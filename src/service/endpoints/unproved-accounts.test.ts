import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, personOf, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const { groups, users, signInCodes } = api
let serial = 0

/** A user who took an address before address changes required a proof. */
async function takeAddress(): Promise<Person> {
  const person = await createPerson(service, `victim${++serial}`)
  await setUnproved(person)
  return person
}

const setUnproved = ({ id }: { id: number }) =>
  service.services.db
    .updateTable('users')
    .set({ status: 'active', email_verified_at: null })
    .where('id', '=', id)
    .execute()

const prove = {
  async code({ email }: { email: string }) {
    const { code } = await service.admin.call(signInCodes.create, { body: { email } })
    const body = { email, code: code ?? '' }
    expect(await service.admin.call(signInCodes.redeem, { body })).toMatchObject({ outcome: 'right' })
  },
  async vouch({ email }: { email: string }) {
    await service.admin.call(signInCodes.vouch, { body: { email } })
  },
}

/**
 * Gives the account a session and a personal key. @returns a function that tells whether token, key and session still
 * work
 */
async function waysInto(person: Person) {
  const { id: session } = await person.call(api.sessions.create, { body: { method: 'code' } })
  const key = await person.call(api.apiKeys.create, { body: { name: 'Script', scopes: ['files:read'] } })
  const { db } = service.services
  const kept = db.selectFrom('api_keys').select('id').where('id', '=', key.id).where('revoked_at', 'is', null)
  const live = db.selectFrom('sessions').select('id').where('id', '=', session)
  const open = async () => ({
    token: (await person.statusOf(users.me, {})) === 200,
    key: (await kept.execute()).length > 0,
    session: (await live.execute()).length > 0,
  })
  expect(await open()).toEqual({ token: true, key: true, session: true })
  return open
}

const asOwner = async ({ email }: Person): Promise<Person> => {
  const { memberships } = await service.admin.call(api.organization.listMembers, { query: { email } })
  return personOf(service, memberships[0]!)
}

const trailOf = async (person: Person) =>
  (await service.admin.call(api.audit.exportOrganization, {})).flatMap((line) =>
    line.type === 'record' && line.entry.subject_type === 'User' && line.entry.subject_id === person.id
      ? [line.entry.message]
      : [],
  )

describe('the proof of an address', () => {
  test.each(['code', 'vouch'] as const)('K4: by %s shuts out any user who held the account without it', async (way) => {
    const thief = await takeAddress()
    const open = await waysInto(thief)
    await prove[way](thief)
    expect(await open()).toEqual({ token: false, key: false, session: false })
    expect(await trailOf(thief)).toContain(
      'proved their address: a new token, personal keys revoked, all sessions ended',
    )
    const owner = await asOwner(thief)
    const own = await waysInto(owner)
    await prove[way](owner)
    expect(await own()).toEqual({ token: true, key: true, session: true })
  })

  test('K4: keeps the token of an invited user, and that of the requesting admin', async () => {
    const invited = await createPerson(service, 'invited')
    await prove.code(invited)
    expect(await invited.call(users.signIn, {})).toMatchObject({ status: 'active' })
    await setUnproved(world.olivia)
    const open = await waysInto(world.olivia)
    await prove.vouch(world.olivia)
    expect(await open()).toEqual({ token: true, key: true, session: true })
  })
})

describe('an invitation to the unproved address of an account', () => {
  const inviting = (email: string) => {
    const { workspace_id, group_id } = world
    return { params: { id: group_id }, body: { workspace_id, email, send_email: false } }
  }
  const room = () => ({ params: { id: world.workspace_id } })

  test('K4: of a stranger does not reveal the account, and shuts out its holder', async () => {
    const thief = await takeAddress()
    const open = await waysInto(thief)
    const email = 'nobody-yet@example.com'
    const [taken, fresh] = [
      await world.alice.call(groups.addMember, inviting(thief.email)),
      await world.alice.call(groups.addMember, inviting(email)),
    ]
    const facts = ({ id: _i, user_id: _u, email: _e, created_at: _c, updated_at: _p, ...rest }: typeof taken) => rest
    expect(facts(taken)).toEqual(facts(fresh))
    const { workspace_id, group_id } = world
    const listing = { params: { id: group_id }, query: { workspace_id } }
    const members = await world.alice.call(groups.listMembers, listing)
    const statuses = [taken, fresh].map(({ id }) => members.find((member) => member.id === id)?.status)
    expect(statuses).toEqual(['invited', 'invited'])

    expect(await open()).toEqual({ token: false, key: false, session: false })
    await prove.code(thief)
    const owner = await asOwner(thief)
    expect(await owner.call(users.signIn, {})).toMatchObject({ id: thief.id, status: 'active' })
    expect(await owner.statusOf(api.workspaces.get, room())).toBe(200)
  })

  test('K4: of a user the caller knows is refused until the address is proved', async () => {
    const wendy = await asOwner(world.wendy)
    await setUnproved(wendy)
    expect((await world.alice.refused(groups.addMember, inviting(wendy.email))).code).toBe(409)
    expect(await wendy.statusOf(users.me, {})).toBe(200)
  })

  test('K4: of a stranger who is an organization admin does not shut them out', async () => {
    const admin = await takeAddress()
    await service.admin.call(api.organization.addAdmin, { body: { user_id: admin.id } })
    const open = await waysInto(admin)
    expect(await world.alice.call(groups.addMember, inviting(admin.email))).toMatchObject({ status: 'invited' })
    expect(await open()).toEqual({ token: true, key: true, session: true })
  })
})
