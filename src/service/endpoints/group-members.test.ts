import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { untilLockWait } from '../testing/database/lock-waits.ts'
import { invitationsTo } from '../testing/invitations.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let workspace_id: number
let bidders: number
let builtIn: Record<'all_members' | 'team_admins' | 'workspace_admins', number>
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  const body = { workspace: { name: 'Fresh', team_id: world.team_id } }
  workspace_id = (await world.alice.call(api.workspaces.create, { body })).id
  const list = await world.alice.call(groups.list, { query: { workspace_id } })
  builtIn = Object.fromEntries(list.map((group) => [group.kind, group.id])) as typeof builtIn
  bidders = (await world.alice.call(groups.create, { body: { group: { name: 'Bidders', workspace_id } } })).id
})

const { groups } = api
type Named = { user_id: number } | { email: string }
const adding = (id: number, named: Named | object, send_email = true) => ({
  params: { id },
  body: { workspace_id, send_email, ...named },
})
const removing = (id: number, user: { id: number }) => ({ params: { id }, query: { workspace_id, user_id: user.id } })
const addTo = (id: number, ...people: Person[]) =>
  Promise.all(people.map((person) => addMember(world.alice, workspace_id, id, person)))

async function groupsOf(user: { id: number }): Promise<string[]> {
  const members = await world.alice.call(api.workspaces.listMembers, { params: { id: workspace_id } })
  return members.find((member) => member.user.id === user.id)?.groups.map((group) => group.name) ?? []
}

/** Activities since the group was added, oldest first. */
async function deeds(): Promise<string[]> {
  const { events } = await world.alice.call(api.activities.list, { params: { workspace_id } })
  const at = events.findIndex((event) => event.message === 'added the group: Bidders')
  return events
    .slice(0, at)
    .map((event) => `${event.subject_type} ${event.message}`)
    .toReversed()
}

describe('adding a member', () => {
  it('does not require a workspace id, because the group determines the workspace', async () => {
    const call = { params: { id: bidders }, body: { user_id: world.bob.id } }
    expect(await world.alice.call(groups.addMember, call)).toMatchObject({
      id: world.bob.id,
      group_id: bidders,
      user_id: world.bob.id,
    })
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders'])
    expect(await world.bob.statusOf(groups.addMember, call)).toBe(403)
    expect(await world.mallory.statusOf(groups.addMember, call)).toBe(404)
    expect(await world.alice.statusOf(groups.addMember, { ...call, params: { id: 2_147_483_647 } })).toBe(404)
  })

  it('also adds to All Members and to the workspace, and records each membership once', async () => {
    const user = await world.alice.call(groups.addMember, adding(bidders, { user_id: world.bob.id }))
    expect(user).toMatchObject({ id: world.bob.id, email: 'bob@example.com', user_token: '' })
    await world.alice.call(groups.addMember, adding(bidders, { email: 'BOB@example.com' }))
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders'])
    expect(await deeds()).toEqual([
      'GroupMembership added Bob Tester to group Bidders',
      'Membership added Bob Tester to this workspace',
    ])
  })

  it('mails one invitation to a user who is new in the workspace', async () => {
    const before = (await invitationsTo(service, 'wendy@example.com')).length
    await world.alice.call(groups.addMember, adding(bidders, { user_id: world.wendy.id }))
    await world.alice.call(groups.addMember, adding(builtIn.workspace_admins, { user_id: world.wendy.id }))
    const mails = (await invitationsTo(service, 'wendy@example.com')).slice(before)
    expect(mails.map((mail) => mail.subject)).toEqual(['Alice Tester invites you to Fresh'])
    expect(mails[0]?.text).toContain(`http://dashboard.test/invitation/${workspace_id}#`)
  })

  it('creates an invited user for an unknown e-mail address, only one even for two concurrent calls', async () => {
    const call = adding(bidders, { email: 'Stranger@example.com' })
    const added = await Promise.all([1, 2].map(() => world.alice.call(groups.addMember, call)))
    expect(added[0]).toMatchObject({ email: 'Stranger@example.com', status: 'invited' })
    expect(added[1]?.id).toBe(added[0]?.id)
    expect((await deeds())[0]).toBe('GroupMembership added Stranger@example.com to group Bidders')
    expect(await invitationsTo(service, 'Stranger@example.com')).toHaveLength(1)
  })

  it('sends no mail if told not to, or in a team that suppresses mail', async () => {
    await world.alice.call(groups.addMember, adding(bidders, { email: 'quiet@example.com' }, false))
    expect(await invitationsTo(service, 'quiet@example.com')).toEqual([])
    const suppress = (suppress_emails: boolean) =>
      world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { suppress_emails } } })
    await suppress(true)
    const silent = await world.alice.call(groups.addMember, adding(bidders, { email: 'silent@example.com' }))
    await suppress(false)
    expect(await invitationsTo(service, 'silent@example.com')).toEqual([])
    expect(silent.invitation).toBe('suppressed')
  })

  it('requires a known user', async () => {
    expect(await world.alice.statusOf(groups.addMember, adding(bidders, {}))).toBe(400)
    expect(await world.alice.statusOf(groups.addMember, adding(bidders, { user_id: 999_999 }))).toBe(404)
    expect(await world.alice.statusOf(groups.addMember, adding(bidders, { email: 'nobody' }))).toBe(422)
  })

  it('to a group deleted at the same moment leaves no member without a group', async () => {
    const [added, deleted] = await Promise.all([
      world.alice.statusOf(groups.addMember, adding(bidders, { user_id: world.bob.id })),
      world.alice.statusOf(groups.remove, { params: { id: bidders }, query: { workspace_id } }),
    ])
    expect(deleted).toBe(200)
    expect([201, 404]).toContain(added)
    expect(await groupsOf(world.bob)).toEqual([])
  })

  it('finds no user of another organization, and no deleted user', async () => {
    const gone = await createPerson(service, 'gone')
    await world.olivia.call(api.users.remove, { query: { user: { id: gone.id } } })
    expect(await world.alice.statusOf(groups.addMember, adding(bidders, { user_id: gone.id }))).toBe(404)
    const { db, vault } = service.services
    const { id: organization_id } = await db
      .insertInto('organizations')
      .values({ name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const foreign = await db
      .insertInto('users')
      .values({ organization_id, email: 'x@example.com', token_hash: Buffer.from('x'), token_sealed: vault.seal('x') })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await world.alice.statusOf(groups.addMember, adding(bidders, { user_id: foreign.id }))).toBe(404)
  })
})

describe('C9: adding a member that waits', () => {
  test.each([
    [
      'the caller is no longer an admin',
      403,
      () => sql`delete from group_memberships
      where workspace_id = ${workspace_id} and group_id = ${builtIn.workspace_admins} and user_id = ${world.alice.id}`,
    ],
    ['the group was deleted', 404, () => sql`delete from groups where id = ${bidders}`],
    ['the user was deleted', 404, (id: number) => sql`update users set deleted_at = now() where id = ${id}`],
  ])('is refused if %s meanwhile', async (_, status, change) => {
    const person = await createPerson(service, `late${workspace_id}`)
    await addMember(world.alice, world.workspace_id, world.group_id, person)
    const call = { params: { id: bidders }, body: { workspace_id, user_id: person.id, send_email: false } }
    let adding: Promise<number> | undefined
    await service.services.db.transaction().execute(async (tx) => {
      await sql`select from groups where workspace_id = ${workspace_id} and kind = 'all_members' for update`.execute(tx)
      await change(person.id).execute(tx)
      adding = world.alice.statusOf(groups.addMember, call)
      await untilLockWait(service.services.db)
    })
    expect(await adding).toBe(status)
    const { rows } = await sql`select user_id from workspace_memberships where workspace_id = ${workspace_id}`.execute(
      service.services.db,
    )
    expect(rows).toEqual([{ user_id: world.alice.id }])
  })
})

describe('Workspace Admins', () => {
  it('are Team Admins too if they are in the team', async () => {
    const [inTeam, guest] = [await createPerson(service, 'ines'), await createPerson(service, 'gus')]
    await world.tina.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: inTeam.email } })
    await addTo(builtIn.workspace_admins, inTeam, guest)
    expect(await groupsOf(inTeam)).toEqual(['All Members', 'Team Admins', 'Workspace Admins'])
    expect(await groupsOf(guest)).toEqual(['All Members', 'Workspace Admins'])
    expect(await guest.statusOf(groups.listMembers, { params: { id: bidders }, query: { workspace_id } })).toBe(200)
  })

  it('can be added through Team Admins too, only from inside the team', async () => {
    const ivan = await createPerson(service, 'ivan')
    expect(await world.alice.statusOf(groups.addMember, adding(builtIn.team_admins, { email: ivan.email }))).toBe(422)
    await world.tina.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: ivan.email } })
    await addTo(builtIn.team_admins, ivan)
    expect(await groupsOf(ivan)).toEqual(['All Members', 'Team Admins', 'Workspace Admins'])
    await world.alice.call(groups.removeMember, removing(builtIn.team_admins, ivan))
    expect(await groupsOf(ivan)).toEqual([])
  })

  it('cannot exceed the limit of the team, even if two are added at once', async () => {
    const limit = (allowed_admins: number) =>
      world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { allowed_admins } } })
    await limit(2)
    const statuses = await Promise.all(
      [world.bob, world.wendy].map((user) =>
        world.alice.statusOf(groups.addMember, adding(builtIn.workspace_admins, { email: user.email })),
      ),
    )
    await limit(10)
    expect(statuses.toSorted()).toEqual([201, 422])
  })
})

describe('removing a member', () => {
  it('from their last group beside All Members removes them from the workspace', async () => {
    const lenders = await world.alice.call(groups.create, { body: { group: { name: 'Lenders', workspace_id } } })
    await addTo(bidders, world.bob)
    await addTo(lenders.id, world.bob)
    await world.alice.call(groups.removeMember, removing(bidders, world.bob))
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Lenders'])
    await world.alice.call(groups.removeMember, removing(lenders.id, world.bob))
    expect(await world.bob.statusOf(api.workspaces.get, { params: { id: workspace_id } })).toBe(404)
    expect((await deeds()).slice(-3)).toEqual([
      'GroupMembership removed Bob Tester from group Bidders',
      'GroupMembership removed Bob Tester from group Lenders',
      'Membership removed Bob Tester from this workspace',
    ])
  })

  it('from All Members removes them from the workspace', async () => {
    await addTo(bidders, world.bob)
    await world.alice.call(groups.removeMember, removing(builtIn.all_members, world.bob))
    expect(await groupsOf(world.bob)).toEqual([])
    const bob = await world.alice.call(groups.listMembers, { params: { id: bidders }, query: { workspace_id } })
    expect(bob).toEqual([])
  })

  it('is 404 for a user who is not a member or does not exist', async () => {
    expect(await world.alice.statusOf(groups.removeMember, removing(bidders, world.bob))).toBe(404)
    expect(await world.alice.statusOf(groups.removeMember, removing(bidders, { id: 999_999 }))).toBe(404)
  })

  it('B8: keeps the last Workspace Admin', async () => {
    for (const id of Object.values(builtIn)) {
      expect((await world.alice.refused(groups.removeMember, removing(id, world.alice))).code).toBe(409)
    }
    expect(await groupsOf(world.alice)).toEqual(['All Members', 'Team Admins', 'Workspace Admins'])
  })

  it('B8: an admin outside the team cannot remove an admin in it', async () => {
    await addTo(builtIn.workspace_admins, world.wendy)
    await addTo(bidders, world.alice)
    for (const id of Object.values(builtIn)) {
      expect((await world.wendy.refused(groups.removeMember, removing(id, world.alice))).code).toBe(403)
    }
    expect(await world.wendy.statusOf(groups.removeMember, removing(bidders, world.alice))).toBe(204)
    await world.alice.call(groups.removeMember, removing(builtIn.workspace_admins, world.wendy))
    expect(await groupsOf(world.wendy)).toEqual([])
  })

  it('B8: keeps one of two Workspace Admins who remove each other at once', async () => {
    const nils = await createPerson(service, 'nils')
    await world.tina.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: nils.email } })
    await addTo(builtIn.workspace_admins, nils)
    const statuses = await Promise.all([
      world.alice.statusOf(groups.removeMember, removing(builtIn.workspace_admins, nils)),
      nils.statusOf(groups.removeMember, removing(builtIn.workspace_admins, world.alice)),
    ])
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  })
})
