import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  id = (await create('Fresh')).id
})
afterEach(() => service.setClock(undefined))

const { workspaces } = api
const create = (name: string, team_id = world.team_id) =>
  world.alice.call(workspaces.create, { body: { workspace: { name, team_id } } })

async function newGroup(name = 'Bidders'): Promise<number> {
  return (await world.alice.call(api.groups.create, { body: { group: { name, workspace_id: id } } })).id
}

async function messages(): Promise<string[]> {
  const { events } = await world.alice.call(api.activities.list, { params: { workspace_id: id } })
  return events.map((event) => `${event.user_name} ${event.message}`)
}

describe('a new workspace', () => {
  it('has its creator in the three built-in groups, listed newest first', async () => {
    const groups = await world.alice.call(api.groups.list, { query: { workspace_id: id } })
    expect(groups.map((group) => [group.name, group.kind, group.members_count])).toEqual([
      ['Workspace Admins', 'workspace_admins', 1],
      ['Team Admins', 'team_admins', 1],
      ['All Members', 'all_members', 1],
    ])
    expect(await messages()).toEqual(['Alice Tester joined this Workspace'])
  })

  it('has an empty root', async () => {
    const root = await world.alice.call(api.folders.get, { params: { id: 0 }, query: { workspace_id: id } })
    expect(root.folder).toMatchObject({ id: 0, name: 'All Folders', path: '/', index: 1, parent_id: 0, id_path: '0' })
    expect(root.totals).toEqual({ folders: 0, files: 0 })
  })

  it('returns the caller’s role', async () => {
    expect(await world.alice.call(workspaces.get, { params: { id } })).toMatchObject({
      name: 'Fresh',
      team_id: world.team_id,
      admin: true,
      team_member: true,
    })
  })

  it('must fit the limit of the team, even for two concurrent calls', async () => {
    const { id: teamId } = await world.olivia.call(api.teams.create, {
      body: { team: { name: 'Small', allowed_workspaces: 1 } },
    })
    const body = { workspace: { name: 'Only', team_id: teamId } }
    const statuses = await Promise.all([1, 2].map(() => world.olivia.statusOf(workspaces.create, { body })))
    expect(statuses.toSorted()).toEqual([201, 422])
    await world.olivia.call(api.teams.update, { params: { id: teamId }, body: { team: { allowed_workspaces: 2 } } })
    expect(await world.olivia.statusOf(workspaces.create, { body })).toBe(201)
  })
})

describe('listing workspaces', () => {
  it('returns those of the team the caller is in, also for guests of the team', async () => {
    const list = async (person: World['bob']) => {
      const reply = await person.call(workspaces.list, { query: { team_id: world.team_id } })
      return reply.workspaces.map((workspace) => workspace.id)
    }
    expect(await list(world.alice)).toEqual(expect.arrayContaining([world.workspace_id, id]))
    expect(await list(world.bob)).toEqual([world.workspace_id])
    expect(await list(world.tina)).toEqual([])
    expect(await list(world.olivia)).toEqual([])
  })
})

describe('visiting', () => {
  it('is recorded once in 10 minutes, and joining only once', async () => {
    await addMember(world.alice, id, await newGroup(), world.bob)
    const now = Date.now()
    const visit = async (minutes: number) => {
      const then = now + minutes * 60_000
      service.setClock(new Date(then))
      expect((await world.bob.fetch(`/api/v1/workspaces/${id}`, {}, then)).status).toBe(200)
      service.setClock(undefined)
    }
    const visits = async () => (await messages()).filter((message) => message.startsWith('Bob Tester'))

    await Promise.all([visit(0), visit(0), visit(0)])
    expect(await visits()).toEqual(['Bob Tester viewed this workspace', 'Bob Tester joined this Workspace'])
    await visit(9)
    expect(await visits()).toHaveLength(2)
    await visit(11)
    expect(await visits()).toHaveLength(3)
  })

  it('is shown in the list of members', async () => {
    await addMember(world.alice, id, await newGroup(), world.bob)
    const bob = async () =>
      (await world.alice.call(workspaces.listMembers, { params: { id } })).find(
        (member) => member.user.id === world.bob.id,
      )
    expect(await bob()).toMatchObject({ joined_at: null, last_active_at: null })
    const now = new Date(Date.now() + 1000)
    service.setClock(now)
    await world.bob.call(workspaces.get, { params: { id } })
    service.setClock(undefined)
    expect(await bob()).toMatchObject({ joined_at: now.toISOString(), last_active_at: now.toISOString() })
  })
})

describe('members', () => {
  it('are listed with their groups and roles', async () => {
    const bidders = await newGroup()
    await addMember(world.alice, id, bidders, world.bob)
    const [alice, bob] = await world.alice.call(workspaces.listMembers, { params: { id } })
    expect(alice).toMatchObject({ admin: true, team_member: true, workspace_id: id, last_active_at: null })
    expect(alice?.groups.map((group) => group.name)).toEqual(['All Members', 'Team Admins', 'Workspace Admins'])
    expect(bob).toMatchObject({
      user: { id: world.bob.id, first_name: 'Bob', email: 'bob@example.com' },
      admin: false,
      team_member: false,
      status: 'invited',
    })
    expect(bob?.groups).toContainEqual({ id: bidders, name: 'Bidders' })
  })

  it('start at the home, which is empty before any grant', async () => {
    await addMember(world.alice, id, await newGroup(), world.bob)
    await world.alice.call(api.folders.create, { body: { workspace_id: id, name: 'Secret' } })
    const home = await world.bob.call(workspaces.home, { params: { id } })
    expect(home).toMatchObject({ immediate_subfolders: [], totals: { folders: 0, files: 0 } })
    expect(home.abilities.view).toBe(false)
  })
})

describe('renaming', () => {
  it('changes the name, or nothing if no name is sent', async () => {
    const params = { id }
    expect((await world.alice.call(workspaces.update, { params, body: { workspace: { name: 'New' } } })).name).toBe(
      'New',
    )
    expect((await world.alice.call(workspaces.update, { params, body: { workspace: {} } })).name).toBe('New')
    expect(await world.alice.statusOf(workspaces.update, { params, body: { workspace: { name: '  ' } } })).toBe(422)
  })
})

describe('a favourite', () => {
  it('is a mark of the caller alone, which no record has', async () => {
    await addMember(world.alice, id, await newGroup(), world.bob)
    const before = await messages()
    const marked = async (person: World['bob']) =>
      (await person.call(api.users.workspaces, {})).workspaces.find((each) => each.id === id)?.favourite
    const mark = (favourite: boolean) =>
      world.bob.call(workspaces.setFavourite, { params: { id }, body: { favourite } })
    await mark(true)
    expect([await marked(world.bob), await marked(world.alice)]).toEqual([true, false])
    await mark(false)
    expect(await marked(world.bob)).toBe(false)
    expect(await messages()).toEqual(before)
  })
})

describe('API access', () => {
  it('is off by default; switching it is recorded only if it changes', async () => {
    const params = { id }
    const off = { workspace_id: id, enabled: false, enabled_at: null, enabled_by_id: null }
    expect(await world.alice.call(workspaces.getApiAccess, { params })).toEqual({ ...off, updated_at: null })

    const on = await world.alice.call(workspaces.enableApiAccess, { params })
    expect(on).toMatchObject({ enabled: true, enabled_by_id: world.alice.id })
    expect(on.enabled_at).toMatch(/Z$/)
    expect(await world.alice.call(workspaces.enableApiAccess, { params })).toEqual(on)

    expect(await world.alice.call(workspaces.disableApiAccess, { params })).toMatchObject(off)
    expect((await messages()).slice(0, 2)).toEqual([
      'Alice Tester disabled API access',
      'Alice Tester enabled API access',
    ])
  })

  it('lists no member without a personal key', async () => {
    expect(await world.alice.call(workspaces.listApiAccessMembers, { params: { id } })).toEqual({ members: [] })
  })
})

describe('an outsider', () => {
  it('learns nothing about a workspace, however it is addressed', async () => {
    const zed = await createPerson(service, 'zed')
    const absent = await zed.refused(workspaces.get, { params: { id: 999_999 } })
    const hidden = await zed.refused(workspaces.get, { params: { id } })
    expect({ ...hidden, request_id: '' }).toEqual({ ...absent, request_id: '' })
  })
})
