import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { untilLockWait } from '../../testing/database/lock-waits.ts'
import { invitationsTo } from '../../testing/invitations.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

const { draftGroups, folders, groups, workspaces } = api

let service: TestService
let world: World
let carol: Person
let room: Room
let workspace_id: number
let finance: number
/** A draft that may download from Finance. */
let lenders: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  carol = await createPerson(service, 'carol')
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  workspace_id = room.workspace_id
  finance = await room.folder('Finance')
  const group = { name: 'Lenders', workspace_id, is_draft: true }
  lenders = (await world.alice.call(groups.create, { body: { group } })).id
  await room.grant(finance, 'download', lenders)
})

const of = (id: number) => ({ params: { id }, query: { workspace_id } })
const getGroup = (id: number) => world.alice.call(groups.get, of(id))
const wait = (...people: Person[]) =>
  Promise.all(people.map((person) => addMember(world.alice, workspace_id, lenders, person)))
const publish = (more: { dry_run?: boolean; invitation?: { message?: string } } = {}) =>
  world.alice.call(draftGroups.publish, { params: { id: lenders }, body: { workspace_id, ...more } })
const withdraw = (id: number) => ({ params: { id }, body: { workspace_id } })
const sees = async (person: Person) => (await person.statusOf(folders.get, of(finance))) === 200
const groupsOf = async (user: { id: number }) => {
  const members = await world.alice.call(workspaces.listMembers, { params: { id: workspace_id } })
  return members.find((member) => member.user.id === user.id)?.groups.map(({ name }) => name)
}

describe('a draft group', () => {
  it('lets people wait, in no workspace and without a mail', async () => {
    const before = (await invitationsTo(service, 'carol@example.com')).length
    await world.alice.call(groups.addMember, {
      params: { id: lenders },
      body: { workspace_id, email: 'carol@example.com', send_email: true, message: 'Welcome.' },
    })
    await wait(world.bob, carol)
    expect(await getGroup(lenders)).toMatchObject({ is_draft: true, members_count: 2, uninvited_count: 0 })
    const waiting = await world.alice.call(groups.listMembers, of(lenders))
    expect(waiting.map(({ email }) => email).toSorted()).toEqual(['bob@example.com', 'carol@example.com'])
    expect(await groupsOf(carol)).toBeUndefined()
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders'])
    expect(await carol.statusOf(workspaces.get, { params: { id: workspace_id } })).toBe(404)
    expect([await sees(world.bob), await sees(carol)]).toEqual([false, false])
    expect(await invitationsTo(service, 'carol@example.com')).toHaveLength(before)
    expect((await room.messages()).filter((each) => each.includes('Lenders'))).toHaveLength(4)
  })

  test('K101: shows strangers as their addresses were given, and records no other name of theirs', async () => {
    const eve = await createPerson(service, 'eve')
    const { email } = eve
    await world.alice.call(groups.addMember, { params: { id: lenders }, body: { workspace_id, email } })
    const nobody = { email, first_name: '', last_name: '', status: 'invited', organization_admin: false }
    expect(await world.alice.call(groups.listMembers, of(lenders))).toMatchObject([nobody])
    await world.alice.call(groups.removeMember, { params: { id: lenders }, query: { workspace_id, user_id: eve.id } })
    expect((await room.messages())[0]).toContain(email)
    expect((await room.messages()).join()).not.toContain('Eve')
  })

  it('lists those who wait and are not in the workspace, once each, by name, address or group, page by page', async () => {
    const { alice, bob } = world
    const other = { name: 'Ärzte & Co', workspace_id, is_draft: true }
    const doctors = (await alice.call(groups.create, { body: { group: other } })).id
    const shared = await createRoom(world)
    await addMember(alice, shared.workspace_id, shared.group_id, carol)
    await wait(bob, carol)
    const add = async (email: string, id = doctors) =>
      alice.call(groups.addMember, { params: { id }, body: { workspace_id, email } })
    await add(carol.email)
    await Promise.all(Array.from({ length: 30 }, (_, n) => add(`waits-${n}@example.com`)))
    const list = (query: { q?: string; page?: number } = {}) =>
      alice.call(draftGroups.listWaiting, { params: { id: workspace_id }, query })
    const first = await list()
    expect(first.pagination).toEqual({ total_items: 31, total_pages: 2, page: 1, per_page: 25 })
    const { id, email } = carol
    const known = { user: { id, email, first_name: 'Carol', last_name: 'Tester' } }
    const both = [
      { id: doctors, name: 'Ärzte & Co' },
      { id: lenders, name: 'Lenders' },
    ]
    expect(first.people[0]).toEqual({ ...known, groups: both })
    expect([first.people.length, (await list({ page: 2 })).people.length]).toEqual([25, 6])
    const found = async (q: string) => (await list({ q })).people.map(({ user }) => user.email)
    expect(await found(' AROL tes')).toEqual([email])
    expect(await found('lend')).toEqual([email])
    expect(await found('WAITS-7@')).toEqual(['waits-7@example.com'])
    expect((await list({ q: 'ärzte' })).pagination.total_items).toBe(31)
    expect([await found('100%'), await found('bob')]).toEqual([[], []])
  })

  test('K101: lists strangers by their addresses, and does not find them by their names', async () => {
    const mona = await createPerson(service, 'mona')
    await service.services.db.updateTable('users').set({ last_name: 'Ostrich' }).where('id', '=', mona.id).execute()
    await wait(mona)
    const list = (q: string) =>
      world.alice.call(draftGroups.listWaiting, { params: { id: workspace_id }, query: { q } })
    const nobody = { id: mona.id, email: mona.email, first_name: '', last_name: '' }
    expect((await list('mona@')).people.map(({ user }) => user)).toEqual([nobody])
    expect((await list('ostrich')).pagination.total_items).toBe(0)
    expect(await world.bob.statusOf(draftGroups.listWaiting, { params: { id: workspace_id } })).toBe(403)
  })

  test('K101: takes no member from a node that knows no drafts', async () => {
    await wait(carol)
    const { db } = service.services
    const insertion = sql`insert into group_memberships (workspace_id, group_id, user_id)
      values (${workspace_id}, ${lenders}, ${world.bob.id})`.execute(db)
    await expect(insertion).rejects.toThrow('a draft group has no members')
    expect(await sees(world.bob)).toBe(false)
    await publish()
    expect(await sees(carol)).toBe(true)
  })

  it('is not taken over into a template or another workspace', async () => {
    const name = 'Next'
    const template = { name }
    const { id, groups: named } = await world.alice.call(api.templates.create, {
      params: { id: workspace_id },
      body: { template },
    })
    expect(named).toEqual(['Bidders'])
    for (const source of [{ template_id: id ?? 0 }, { workspace_id }]) {
      const workspace = { name, team_id: world.team_id, source }
      const made = await world.alice.call(workspaces.create, { body: { workspace } })
      const query = { workspace_id: made.id }
      expect((await world.alice.call(groups.list, { query })).map((group) => group.name)).not.toContain('Lenders')
    }
  })

  it('is left by whoever is removed from it, from everything or from the organization', async () => {
    const dora = await createPerson(service, 'dora')
    await wait(carol, world.bob, dora)
    await world.alice.call(groups.removeMember, {
      params: { id: lenders },
      query: { workspace_id, user_id: carol.id },
    })
    const again = { params: { id: lenders }, query: { workspace_id, user_id: carol.id } }
    expect(await world.alice.statusOf(groups.removeMember, again)).toBe(404)
    const all = (await world.alice.call(groups.list, { query: { workspace_id } })).find(
      ({ kind }) => kind === 'all_members',
    )
    await world.alice.call(groups.removeMember, {
      params: { id: all?.id ?? 0 },
      query: { workspace_id, user_id: world.bob.id },
    })
    await service.admin.call(api.users.remove, { query: { user: { id: dora.id } } })
    expect(await getGroup(lenders)).toMatchObject({ members_count: 0 })
    expect(await publish()).toMatchObject({ people: 0, newcomers: 0 })
  })

  it('keeps those who only wait out of the workspace when it is deleted', async () => {
    await wait(carol, world.bob)
    await world.alice.call(groups.remove, of(lenders))
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders'])
    expect((await room.messages()).slice(0, 1)).toEqual(['deleted the group: Lenders'])
  })
})

describe('publishing a group', () => {
  it('says what would happen, and changes nothing', async () => {
    await wait(world.bob, carol, world.alice)
    await room.upload(world.alice, finance, 'report.txt')
    expect(await publish({ dry_run: true })).toEqual({
      folders: 1,
      files: 1,
      people: 2,
      newcomers: 1,
      uninvited: 2,
      invited: 0,
    })
    expect(await getGroup(lenders)).toMatchObject({ is_draft: true })
    expect(await sees(carol)).toBe(false)
  })

  it('lets its members in, invites them and records each', async () => {
    await wait(world.bob, carol)
    const before = (await invitationsTo(service, 'carol@example.com')).length
    expect(await publish({ invitation: { message: 'Welcome.' } })).toMatchObject({
      people: 2,
      invited: 2,
      uninvited: 0,
    })
    expect([await sees(world.bob), await sees(carol)]).toEqual([true, true])
    expect(await groupsOf(carol)).toEqual(['All Members', 'Lenders'])
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders', 'Lenders'])
    expect(await getGroup(lenders)).toMatchObject({ is_draft: false, members_count: 2 })
    expect(await invitationsTo(service, 'carol@example.com')).toHaveLength(before + 1)
    const messages = await room.messages()
    expect(messages.filter((each) => each === 'published the group: Lenders')).toHaveLength(1)
    expect(messages.filter((each) => each === 'added Carol Tester to this workspace')).toHaveLength(1)
    expect(await world.alice.statusOf(draftGroups.publish, withdraw(lenders))).toBe(409)
  })

  it('without an invitation leaves them to be invited later', async () => {
    await wait(carol)
    expect(await publish()).toMatchObject({ invited: 0, uninvited: 1 })
    expect(await getGroup(lenders)).toMatchObject({ uninvited_count: 1 })
  })

  it('takes in whoever is added meanwhile', async () => {
    const { db } = service.services
    let adding: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('groups').set({ is_draft: false }).where('id', '=', lenders).execute()
      adding = wait(carol)
      await untilLockWait(db)
    })
    await adding
    expect(await groupsOf(carol)).toEqual(['All Members', 'Lenders'])
  })
})

describe('making a group a draft', () => {
  it('takes those out of the workspace who are in no other group, until it is published', async () => {
    await wait(world.bob, carol)
    await publish({ invitation: {} })
    expect(await world.alice.call(draftGroups.withdraw, withdraw(lenders))).toMatchObject({
      is_draft: true,
      members_count: 2,
    })
    expect(await groupsOf(carol)).toBeUndefined()
    expect(await groupsOf(world.bob)).toEqual(['All Members', 'Bidders'])
    expect(await world.alice.statusOf(draftGroups.withdraw, withdraw(lenders))).toBe(409)
    await publish()
    expect(await groupsOf(carol)).toEqual(['All Members', 'Lenders'])
  })

  it('is refused once a member has opened a file, also one who never opened the workspace', async () => {
    const { id } = await room.upload(world.alice, finance, 'a.txt')
    await wait(carol)
    await publish()
    await carol.call(api.downloads.getFile, { params: { file_id: id }, query: { workspace_id } })
    expect(await world.alice.statusOf(draftGroups.withdraw, withdraw(lenders))).toBe(409)
  })

  it('is refused once a member has come in, unless it is an admin, and for built-in groups', async () => {
    await wait(carol, world.alice)
    await publish()
    await world.alice.call(workspaces.get, { params: { id: workspace_id } })
    expect(await world.alice.statusOf(draftGroups.withdraw, withdraw(lenders))).toBe(200)
    await publish()
    await carol.call(workspaces.get, { params: { id: workspace_id } })
    expect(await world.alice.statusOf(draftGroups.withdraw, withdraw(lenders))).toBe(409)
    expect(await sees(carol)).toBe(true)
    for (const { id, kind } of await world.alice.call(groups.list, { query: { workspace_id } }))
      if (kind !== 'custom') expect(await world.alice.statusOf(draftGroups.withdraw, withdraw(id))).toBe(422)
  })
})
