import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { invitationsTo } from '../testing/invitations.ts'
import { upload } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  id = (await world.olivia.call(teams.create, { body: { team: { name: 'Fresh' } } })).id
})

const { teams } = api
const update = (by: Person, team: object) => ({ by, call: { params: { id }, body: { team } } })
const add = (by: Person, user: { user_id: number } | { email: string }) =>
  by.call(teams.addMember, { params: { id }, body: user })
const remove = (user_id: number) => ({ params: { id }, query: { user_id } })

async function memberIds(): Promise<number[]> {
  const { memberships } = await world.olivia.call(teams.listMembers, { params: { id } })
  return memberships.map((membership) => membership.user.id)
}

describe('a team', () => {
  it('belongs to its creator, with the default limits', async () => {
    expect(await world.olivia.call(teams.get, { params: { id } })).toMatchObject({
      name: 'Fresh',
      team_owner_id: world.olivia.id,
      allowed_workspaces: 100,
      allowed_admins: 10,
      drm_enabled: true,
      watermarking: true,
      creator_id: world.olivia.id,
      suppress_emails: true,
      owner: true,
      member: true,
    })
    expect(await memberIds()).toEqual([world.olivia.id])
  })

  it('changes only the given fields', async () => {
    const first = update(world.olivia, { allowed_admins: 3, watermarking: false })
    await world.olivia.call(teams.update, first.call)
    const team = await world.olivia.call(teams.update, update(world.olivia, { name: 'Renamed' }).call)
    expect(team).toMatchObject({ name: 'Renamed', allowed_admins: 3, watermarking: false, drm_enabled: true })
  })

  it('is listed to its members; organization admins get all teams', async () => {
    expect((await world.tina.call(teams.list, {})).map((team) => team.id)).toEqual([world.team_id])
    expect(await world.mallory.call(teams.list, {})).toEqual([])
    const all = await world.olivia.call(teams.list, {})
    expect(all.find((team) => team.id === world.team_id)).toMatchObject({ owner: false, member: false })
    expect(all.map((team) => team.id)).toContain(id)
  })
})

describe('ownership', () => {
  it('is transferred by the owner to a user, who becomes a member', async () => {
    const team = await world.olivia.call(
      teams.update,
      update(world.olivia, { name: 'Given', team_owner_id: world.mallory.id }).call,
    )
    expect(team).toMatchObject({
      name: 'Given',
      team_owner_id: world.mallory.id,
      creator_id: world.olivia.id,
      owner: false,
      member: true,
    })
    expect(await memberIds()).toEqual([world.olivia.id, world.mallory.id])
  })

  it('cannot be taken or given by another member, but repeating it changes nothing', async () => {
    await add(world.olivia, { user_id: world.bob.id })
    const take = update(world.bob, { name: 'Mine', team_owner_id: world.bob.id })
    expect((await world.bob.refused(teams.update, take.call)).code).toBe(403)
    expect(await world.bob.call(teams.get, { params: { id } })).toMatchObject({ name: 'Fresh' })
    const repeat = update(world.bob, { name: 'Ours', team_owner_id: world.olivia.id })
    expect(await world.bob.call(teams.update, repeat.call)).toMatchObject({ name: 'Ours' })
  })

  it('goes only to users of the organization', async () => {
    const give = update(world.olivia, { team_owner_id: 999_999 })
    expect((await world.olivia.refused(teams.update, give.call)).code).toBe(404)
  })
})

describe('members', () => {
  it.each(['id', 'email'] as const)('are added by %s, once', async (key) => {
    const { user } = await add(world.olivia, { email: 'BOB@example.com' })
    expect(user).toMatchObject({ id: world.bob.id })
    const again = { params: { id }, body: key === 'id' ? { user_id: world.bob.id } : { email: world.bob.email } }
    expect((await world.olivia.refused(teams.addMember, again)).code).toBe(409)
    expect(await memberIds()).toEqual([world.olivia.id, world.bob.id])
  })

  it('are invited if the e-mail address is new, except in a team that suppresses mail', async () => {
    await world.olivia.call(teams.update, update(world.olivia, { suppress_emails: false }).call)
    const { user } = await add(world.olivia, { email: 'fresh@example.com' })
    expect(user).toMatchObject({ email: 'fresh@example.com', status: 'invited', first_name: '' })
    expect(await invitationsTo(service, 'fresh@example.com')).toHaveLength(1)

    await world.olivia.call(teams.update, update(world.olivia, { suppress_emails: true }).call)
    await add(world.olivia, { email: 'quiet@example.com' })
    expect(await invitationsTo(service, 'quiet@example.com')).toEqual([])
  })

  it('must be named, and must exist if named by id', async () => {
    const call = (body: object) => ({ params: { id }, body })
    expect((await world.olivia.refused(teams.addMember, call({}))).code).toBe(400)
    expect((await world.olivia.refused(teams.addMember, call({ user_id: 999_999 }))).code).toBe(404)
    expect((await world.olivia.refused(teams.addMember, call({ email: 'nobody' }))).code).toBe(422)
  })

  it('see only their own token', async () => {
    await add(world.olivia, { user_id: world.bob.id })
    const { memberships } = await world.bob.call(teams.listMembers, { params: { id } })
    expect(memberships.map((membership) => membership.user.user_token)).toEqual(['', world.bob.user_token])
  })

  it('can be removed, except the owner', async () => {
    await add(world.olivia, { user_id: world.bob.id })
    await world.bob.call(teams.removeMember, remove(world.bob.id))
    expect(await memberIds()).toEqual([world.olivia.id])
    expect((await world.olivia.refused(teams.removeMember, remove(world.bob.id))).code).toBe(404)
    expect((await world.olivia.refused(teams.removeMember, remove(world.olivia.id))).code).toBe(409)
  })
})

describe('the usage of a team', () => {
  it('counts every version in all of its workspaces, for its members only', async () => {
    const usage = (by: Person) => by.call(teams.usage, { params: { id } })
    expect(await usage(world.olivia)).toEqual({
      workspaces: 0,
      allowed_workspaces: 100,
      file_versions: 0,
      bytes: 0,
      administered: [],
    })
    const body = { workspace: { name: 'Stored', team_id: id } }
    const workspace_id = (await world.olivia.call(api.workspaces.create, { body })).id
    const folder = await world.olivia.call(api.folders.create, { body: { workspace_id, name: 'Plans', parent_id: 0 } })
    const place = { workspace_id, folder_id: folder.id, file_name: 'plan.txt' }
    const { id: file_id } = await upload(world.olivia, place, 'twelve bytes')
    await upload(world.olivia, place, 'eight by')
    await add(world.olivia, { user_id: world.bob.id })
    const stored = { workspaces: 1, allowed_workspaces: 100, file_versions: 2, bytes: 20 }
    expect(await usage(world.bob)).toEqual({ ...stored, administered: [] })
    const administered = (documents: number) => [{ workspace_id, documents, bytes: 20 }]
    expect(await usage(world.olivia)).toEqual({ ...stored, administered: administered(1) })
    await world.olivia.call(api.files.remove, { params: { id: file_id }, query: { workspace_id } })
    expect(await usage(world.olivia)).toEqual({ ...stored, administered: administered(0) })
  })
})

describe('the Team Admins of a workspace', () => {
  it('are its Workspace Admins who are in the team, whichever membership changes', async () => {
    const otto = await createPerson(service, 'otto')
    const { id: workspace_id } = await world.olivia.call(api.workspaces.create, {
      body: { workspace: { name: 'Kept', team_id: id } },
    })
    const groups = await world.olivia.call(api.groups.list, { query: { workspace_id } })
    const [workspaceAdmins, teamAdmins] = groups.map((group) => group.id)
    const names = async () => {
      const call = { params: { id: teamAdmins ?? 0 }, query: { workspace_id } }
      return (await world.olivia.call(api.groups.listMembers, call)).map((user) => user.first_name || user.email)
    }
    expect(await names()).toEqual(['olivia@example.com'])
    await addMember(world.olivia, workspace_id, workspaceAdmins ?? 0, otto)
    expect(await names()).toEqual(['olivia@example.com'])
    await add(world.olivia, { user_id: otto.id })
    expect(await names()).toEqual(['olivia@example.com', 'Otto'])
    await world.olivia.call(teams.removeMember, remove(otto.id))
    expect(await names()).toEqual(['olivia@example.com'])
  })
})
