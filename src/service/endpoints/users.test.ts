import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { invitationsTo } from '../testing/invitations.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const { users } = api
const create = (email: string) =>
  world.olivia.call(users.create, { body: { user: { email, first_name: 'Some', last_name: 'Body' } } })
const remove = (id: number) => ({ query: { user: { id } } })

async function messages(workspace_id = world.workspace_id): Promise<string[]> {
  const { events } = await world.alice.call(api.activities.list, { params: { workspace_id } })
  return events.map((event) => event.message)
}

describe('creating a user', () => {
  it('gives a token, sends an invitation and leaves the user invited', async () => {
    const user = await create('new@example.com')
    expect(user).toMatchObject({ email: 'new@example.com', status: 'invited', time_zone: 'UTC' })
    expect(user.user_token).toMatch(/^[0-9a-f]{40}$/)
    expect(user.jti).toBe(user.user_token)
    expect(await service.as(user).call(users.me, {})).toEqual({
      ...user,
      pending_email: null,
      company: '',
      title: '',
      profile_due: false,
      installation_admin: false,
    })
    expect(await invitationsTo(service, 'new@example.com')).toHaveLength(1)
  })

  it('with an e-mail address in use, in any case, is 422', async () => {
    const body = { user: { email: 'Bob@Example.com', first_name: '', last_name: '' } }
    const { code, details } = await world.olivia.refused(users.create, { body })
    expect([code, details?.[0]?.field]).toEqual([422, 'user.email'])
  })

  it('requires both names, which may be empty', async () => {
    const response = await world.olivia.fetch('/api/v1/users', { method: 'POST', body: 'user[email]=x@example.com' })
    expect(response.status).toBe(400)
  })
})

describe('the current user', () => {
  it('changes only the given fields', async () => {
    const mia = await createPerson(service, 'mia')
    await mia.call(users.updateMe, { body: { user: { first_name: 'Maria' } } })
    const me = await mia.call(users.updateMe, { body: { user: { time_zone: 'Asia/Tokyo' } } })
    expect(me).toMatchObject({ first_name: 'Maria', last_name: 'Tester', time_zone: 'Asia/Tokyo' })
    expect(me.user_token).toBe(mia.user_token)
  })

  it('becomes active by signing in', async () => {
    await world.olivia.call(api.signInCodes.vouch, { body: { email: world.bob.email } })
    const { status } = await world.bob.call(users.signIn, {})
    expect(status).toBe('active')
    expect(await world.bob.call(users.me, {})).toMatchObject({ status: 'active' })
  })

  it('lists every workspace they may enter, and hides members and activity unless they are an admin', async () => {
    const [ofBob] = (await world.bob.call(users.workspaces, {})).workspaces
    expect(ofBob).toMatchObject({
      id: world.workspace_id,
      team_name: 'Deals',
      admin: false,
      team_member: false,
      members: null,
      last_activity_at: null,
    })
    const [ofAlice] = (await world.alice.call(users.workspaces, {})).workspaces
    expect(ofAlice).toMatchObject({ admin: true, team_member: true, members: 3 })
    expect(ofAlice?.last_activity_at).toMatch(/Z$/)
    expect(await world.mallory.call(users.workspaces, {})).toEqual({ workspaces: [] })
  })
})

describe('groups that expire soon', () => {
  const now = new Date()
  beforeAll(() => service.setClock(now))
  afterAll(() => service.setClock(undefined))

  const day = (ahead: number) => new Date(now.getTime() + ahead * 86_400_000).toISOString().slice(0, 10)

  async function groupEnding(name: string, access: string | undefined, drm: string | undefined) {
    const { workspace_id } = world
    const { id } = await world.alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
    const params = { id }
    if (drm) {
      const group = { drm_enabled: true, drm_expires_after: drm }
      await world.alice.call(api.groups.setDrm, { params, body: { workspace_id, group } })
    }
    if (access) {
      const group = { expire_workspace_access_at: access }
      await world.alice.call(api.groups.setAccessExpiry, { params, body: { workspace_id, group } })
    }
    return id
  }

  const seenBy = async (person: World['bob']) =>
    (await person.call(users.expirations, {})).expirations.map(({ group_name, kind, date }) => [group_name, kind, date])

  it('are all groups for an admin, their own for other members, and none for outsiders', async () => {
    const lenders = await groupEnding('Lenders', day(9), day(4))
    await groupEnding('Later', day(31), undefined)
    await groupEnding('Advisers', day(30), day(31))
    await addMember(world.alice, world.workspace_id, lenders, world.bob)
    const ofLenders = [
      ['Lenders', 'drm', day(4)],
      ['Lenders', 'access', day(9)],
    ]
    expect(await seenBy(world.wendy)).toEqual([...ofLenders, ['Advisers', 'access', day(30)]])
    expect(await seenBy(world.bob)).toEqual(ofLenders)
    expect(await seenBy(world.mallory)).toEqual([])
  })
})

describe('a user token', () => {
  it('B7: is shown only to its owner and to organization admins', async () => {
    const params = { id: world.group_id }
    const query = { workspace_id: world.workspace_id }
    const [seen] = await world.alice.call(api.groups.listMembers, { params, query })
    expect(seen).toMatchObject({ id: world.bob.id, jti: '', user_token: '' })
  })
})

describe('a profile', () => {
  it('is due from the first sign-in until its user has set it, and is seen by admins of their workspaces', async () => {
    const zara = await createPerson(service, 'zara')
    await addMember(world.alice, world.workspace_id, world.group_id, zara)
    expect(await zara.call(users.me, {})).toMatchObject({ profile_due: false, company: '', title: '' })
    await world.olivia.call(api.signInCodes.vouch, { body: { email: zara.email } })
    expect(await zara.call(users.signIn, {})).toMatchObject({ status: 'active', profile_due: true })
    const zone = { user: { time_zone: 'Europe/Lisbon' } }
    expect(await zara.call(users.updateMe, { body: zone })).toMatchObject({ profile_due: true })
    const user = { company: 'Northgate', title: 'Technical director' }
    expect(await zara.call(users.updateMe, { body: { user } })).toMatchObject({ ...user, profile_due: false })
    expect(await zara.call(users.signIn, {})).toMatchObject({ profile_due: false })
    const members = await world.alice.call(api.workspaces.listMembers, { params: { id: world.workspace_id } })
    expect(members.find((member) => member.user.id === zara.id)?.user).toMatchObject(user)
    expect(JSON.stringify(await world.alice.call(users.me, {}))).not.toContain('Northgate')
    for (const company of ['a@evil.example', 'https://evil.example'])
      expect(await zara.statusOf(users.updateMe, { body: { user: { company } } })).toBe(422)
  })
})

describe('a reminder', () => {
  it('mails the invitation again, with the words of the inviter, and is recorded in the workspace', async () => {
    const zoe = await createPerson(service, 'zoe')
    await addMember(world.alice, world.workspace_id, world.group_id, zoe)
    const body = { workspace_id: world.workspace_id, message: 'Please <come> in.' }
    await world.alice.call(users.remind, { params: { id: zoe.id }, body })
    expect((await messages())[0]).toBe('invited Zoe Tester')
    await world.alice.call(users.remind, { params: { id: zoe.id }, body })
    const [, , reminder] = await invitationsTo(service, zoe.email)
    expect(reminder?.text).toContain('Please <come> in.')
    expect(reminder?.text).toContain(`http://dashboard.test/invitation/${world.workspace_id}#`)
    expect((await messages())[0]).toBe('reminded Zoe Tester')
  })

  it('without a workspace is only for organization admins', async () => {
    const yan = await createPerson(service, 'yan')
    await world.olivia.call(users.remind, { params: { id: yan.id }, body: {} })
    expect(await invitationsTo(service, yan.email)).toHaveLength(2)
    expect((await world.alice.refused(users.remind, { params: { id: yan.id }, body: {} })).code).toBe(403)
  })

  it('does not reach users outside the workspace', async () => {
    const call = { params: { id: world.mallory.id }, body: { workspace_id: world.workspace_id } }
    expect((await world.alice.refused(users.remind, call)).code).toBe(404)
  })

  it('reaches an account that has not come into the workspace, until it comes in or the team sends no e-mails', async () => {
    const liv = await createPerson(service, 'liv')
    await liv.call(users.signIn, {})
    await addMember(world.alice, world.workspace_id, world.group_id, liv)
    const call = { params: { id: liv.id }, body: { workspace_id: world.workspace_id } }
    await world.alice.call(users.remind, call)
    await world.alice.call(users.remind, call)
    expect((await messages())[0]).toBe('reminded Liv Tester')
    const suppress = (suppress_emails: boolean) =>
      world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { suppress_emails } } })
    await suppress(true)
    expect((await world.alice.refused(users.remind, call)).code).toBe(409)
    await suppress(false)
    await liv.call(api.workspaces.get, { params: { id: world.workspace_id } })
    expect((await world.alice.refused(users.remind, call)).code).toBe(422)
  })

  it('is refused when the user is active', async () => {
    const call = { params: { id: world.olivia.id }, body: {} }
    expect((await world.olivia.refused(users.remind, call)).code).toBe(422)
  })
})

describe('deleting a user', () => {
  it('B11: ends every membership and the token at once, and frees the e-mail address', async () => {
    const max = await createPerson(service, 'max')
    await addMember(world.alice, world.workspace_id, world.group_id, max)
    await world.tina.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: max.email } })

    const reply = await world.olivia.call(users.remove, remove(max.id))
    expect(reply).toEqual({ status: 200, message: 'The user max@example.com was deleted.' })

    expect(await max.statusOf(users.me, {})).toBe(401)
    expect((await messages())[0]).toBe('removed Max Tester from this workspace')
    const members = await world.alice.call(api.workspaces.listMembers, { params: { id: world.workspace_id } })
    expect(members.map((member) => member.user.id)).not.toContain(max.id)
    const team = await world.tina.call(api.teams.listMembers, { params: { id: world.team_id } })
    expect(team.memberships.map((membership) => membership.user.id)).not.toContain(max.id)
    expect((await world.olivia.refused(users.remove, remove(max.id))).code).toBe(404)
    expect((await create('max@example.com')).id).not.toBe(max.id)
  })

  it('is refused while the user is the last admin or owns a team', async () => {
    const refusal = async (id: number) => {
      const { code, message } = await world.olivia.refused(users.remove, remove(id))
      return [code, message]
    }
    expect(await refusal(world.olivia.id)).toEqual([409, 'olivia@example.com is the last organization admin.'])
    expect(await refusal(world.tina.id)).toEqual([409, 'tina@example.com owns the team "Deals".'])
    await world.alice.call(api.workspaces.create, { body: { workspace: { name: 'Alone', team_id: world.team_id } } })
    expect(await refusal(world.alice.id)).toEqual([409, 'alice@example.com is the last Workspace Admin of "Alone".'])
  })

  it('of both Workspace Admins at once keeps one of them', async () => {
    const [uma, vic] = [await createPerson(service, 'uma'), await createPerson(service, 'vic')]
    await world.tina.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: uma.email } })
    const body = { workspace: { name: 'Two', team_id: world.team_id } }
    const { id } = await uma.call(api.workspaces.create, { body })
    const groups = await uma.call(api.groups.list, { query: { workspace_id: id } })
    await addMember(uma, id, groups[0]?.id ?? 0, vic)
    const statuses = await Promise.all([uma, vic].map((user) => world.olivia.statusOf(users.remove, remove(user.id))))
    expect(statuses.toSorted()).toEqual([200, 409])
  })
})
