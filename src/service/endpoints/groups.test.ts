import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let workspace_id: number
let params: { id: number }
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
  params = { id: (await create('Bidders')).id }
})

const { groups } = api
const create = (name: string) => world.alice.call(groups.create, { body: { group: { name, workspace_id } } })
const inWorkspace = <G extends object>(group: G) => ({ params, body: { workspace_id, group } })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** Alice's activities since the group was added, oldest first. */
async function deeds(): Promise<string[]> {
  const { events } = await world.alice.call(api.activities.list, { params: { workspace_id } })
  const at = events.findIndex((event) => event.message === 'added the group: Bidders')
  return events
    .slice(0, at)
    .map((event) => `${event.verb}: ${event.message}`)
    .toReversed()
}

describe('a new group', () => {
  it('has no rights and no protections', async () => {
    const group = await create('Lenders')
    expect(group).toMatchObject({
      name: 'Lenders',
      workspace_id,
      drm_enabled: false,
      drm_expires_after: null,
      expire_workspace_access: 'false',
      expire_workspace_access_at: null,
      watermarked: false,
      file_managing_abilities: false,
      kind: 'custom',
      members_count: 0,
      expired: false,
    })
    expect(await deeds()).toEqual(['created: added the group: Lenders'])
  })

  it('is listed first; a plain member gets only their own groups, without counts', async () => {
    const { id } = await create('Lenders')
    await addMember(world.alice, workspace_id, params.id, world.bob)
    const names = async (person: World['bob']) =>
      (await person.call(groups.list, { query: { workspace_id } })).map((group) => [group.name, group.members_count])
    expect(await names(world.alice)).toEqual([
      ['Lenders', 0],
      ['Bidders', 1],
      ['Workspace Admins', 1],
      ['Team Admins', 1],
      ['All Members', 2],
    ])
    expect(await names(world.bob)).toEqual([
      ['Bidders', null],
      ['All Members', null],
    ])
    expect(await world.bob.statusOf(groups.get, { params: { id }, query: { workspace_id } })).toBe(404)
  })

  it('is not found in another workspace', async () => {
    const query = { workspace_id: world.workspace_id }
    expect(await world.alice.statusOf(groups.get, { params, query })).toBe(404)
    expect(await world.alice.statusOf(groups.remove, { params, query })).toBe(404)
  })
})

describe('updating', () => {
  it('records only what changed', async () => {
    await world.alice.call(groups.update, inWorkspace({ name: 'Bidders', file_managing_abilities: false }))
    const group = await world.alice.call(groups.update, inWorkspace({ name: 'B', file_managing_abilities: true }))
    expect(group).toMatchObject({ name: 'B', file_managing_abilities: true })
    expect(await deeds()).toEqual([
      'updated: updated the group: Bidders',
      'renamed: renamed the group Bidders to B',
      'updated: updated file_managing_abilities for group: B',
    ])
  })

  it('does not rename built-in groups', async () => {
    const call = { params: { id: builtIn.all_members }, body: { workspace_id, group: { name: 'Everybody' } } }
    expect((await world.alice.refused(groups.update, call)).code).toBe(422)
  })
})

describe('deleting', () => {
  it('removes members who were in no other group, and only those', async () => {
    const lenders = await create('Lenders')
    await addMember(world.alice, workspace_id, params.id, world.bob)
    await addMember(world.alice, workspace_id, params.id, world.wendy)
    await addMember(world.alice, workspace_id, lenders.id, world.wendy)

    const removed = await world.alice.call(groups.remove, { params, query: { workspace_id } })
    expect(removed).toEqual({ id: params.id, name: 'Bidders' })
    expect((await deeds()).slice(-2)).toEqual([
      'deleted: deleted the group: Bidders',
      'deleted: removed Bob Tester from this workspace',
    ])
    expect(await world.bob.statusOf(api.workspaces.get, { params: { id: workspace_id } })).toBe(404)
    expect(await world.wendy.statusOf(api.workspaces.get, { params: { id: workspace_id } })).toBe(200)
    expect(await world.alice.statusOf(groups.get, { params, query: { workspace_id } })).toBe(404)
  })

  it('is refused for built-in groups', async () => {
    for (const id of Object.values(builtIn)) {
      expect(await world.alice.statusOf(groups.remove, { params: { id }, query: { workspace_id } })).toBe(422)
    }
  })
})

describe('DRM', () => {
  it('is granted with a last day, which may be today, and revoked', async () => {
    const on = await world.alice.call(groups.setDrm, inWorkspace({ drm_enabled: true, drm_expires_after: day(0) }))
    expect(on).toMatchObject({ drm_enabled: true, drm_expires_after: day(0) })
    const off = await world.alice.call(groups.setDrm, inWorkspace({ drm_enabled: false }))
    expect(off).toMatchObject({ drm_enabled: false, drm_expires_after: day(0) })
    expect(await deeds()).toEqual([
      'granted: granted DRM rights for group: Bidders',
      'granted: granted Drm Expires After rights for group: Bidders',
      'revoked: revoked DRM rights for group: Bidders',
    ])
  })

  it('keeps its last day, set or not, when an empty day is sent', async () => {
    const sendEmpty = async () => {
      const days = []
      for (const empty of [null, '']) {
        const call = { params, body: { workspace_id, group: { drm_enabled: true, drm_expires_after: empty } } }
        days.push((await world.alice.call(groups.setDrm, call as never)).drm_expires_after)
      }
      return days
    }
    expect(await sendEmpty()).toEqual([null, null])
    await world.alice.call(groups.setDrm, inWorkspace({ drm_enabled: true, drm_expires_after: day(5) }))
    expect(await sendEmpty()).toEqual([day(5), day(5)])
  })

  it('loses its last day separately, and only once', async () => {
    await world.alice.call(groups.setDrm, inWorkspace({ drm_enabled: true, drm_expires_after: day(5) }))
    const call = { params, body: { workspace_id } }
    expect(await world.alice.call(groups.removeDrmExpiration, call)).toMatchObject({
      drm_enabled: true,
      drm_expires_after: null,
    })
    await world.alice.call(groups.removeDrmExpiration, call)
    expect((await deeds()).slice(2)).toEqual(['revoked: revoked Drm Expires After rights for group: Bidders'])
  })

  it('cannot end in the past or on an invalid day', async () => {
    const refused = (date: string) =>
      world.alice.statusOf(groups.setDrm, inWorkspace({ drm_enabled: true, drm_expires_after: date }))
    expect([await refused(day(-1)), await refused('2027-02-30'), await refused('0000-01-01')]).toEqual([422, 422, 422])
  })
})

describe('watermarking', () => {
  it('is recorded separately for viewing and for downloading', async () => {
    expect(await world.alice.call(groups.setWatermarking, inWorkspace({ watermarking: true }))).toMatchObject({
      watermarked: true,
    })
    await world.alice.call(groups.setWatermarking, inWorkspace({ watermarking: false }))
    expect(await deeds()).toEqual([
      'granted: granted View Watermarked rights for group: Bidders',
      'granted: granted Download Watermarked rights for group: Bidders',
      'revoked: revoked View Watermarked rights for group: Bidders',
      'revoked: revoked Download Watermarked rights for group: Bidders',
    ])
  })
})

describe('a team without a feature', () => {
  it('allows its groups to disable it but not to enable it', async () => {
    const { id: team_id } = await world.olivia.call(api.teams.create, { body: { team: { name: 'Plain' } } })
    const { id: workspace } = await world.olivia.call(api.workspaces.create, {
      body: { workspace: { name: 'Plain', team_id } },
    })
    const group = await world.olivia.call(groups.create, { body: { group: { name: 'G', workspace_id: workspace } } })
    const team = { drm_enabled: false, watermarking: false }
    await world.olivia.call(api.teams.update, { params: { id: team_id }, body: { team } })
    const call = <G extends object>(change: G) => ({
      params: { id: group.id },
      body: { workspace_id: workspace, group: change },
    })
    expect(await world.olivia.statusOf(groups.setDrm, call({ drm_enabled: true }))).toBe(422)
    expect(await world.olivia.statusOf(groups.setDrm, call({ drm_enabled: false }))).toBe(200)
    expect(await world.olivia.statusOf(groups.setWatermarking, call({ watermarking: true }))).toBe(422)
    expect(await world.olivia.statusOf(groups.setWatermarking, call({ watermarking: false }))).toBe(200)
  })
})

describe('access expiry', () => {
  const expireAt = (date: string) => inWorkspace({ expire_workspace_access_at: date })

  it('is set to a future day and removed', async () => {
    const date = day(1)
    const on = await world.alice.call(groups.setAccessExpiry, expireAt(date))
    expect(on).toMatchObject({ expire_workspace_access: 'true', expire_workspace_access_at: date, expired: false })
    const off = await world.alice.call(groups.removeAccessExpiry, { params, body: { workspace_id } })
    expect(off).toMatchObject({ expire_workspace_access: 'false', expire_workspace_access_at: null })
    await world.alice.call(groups.removeAccessExpiry, { params, body: { workspace_id } })
    expect(await deeds()).toEqual([
      `added: set workspace access to expire on ${date} for group: Bidders`,
      'revoked: set workspace access expiration to false for group: Bidders',
    ])
  })

  it('cannot be today or earlier', async () => {
    expect(await world.alice.statusOf(groups.setAccessExpiry, expireAt(day(0)))).toBe(422)
    expect(await world.alice.statusOf(groups.setAccessExpiry, expireAt(day(-1)))).toBe(422)
  })

  it('C10: begins at midnight UTC: rights end, the membership and the group stay', async () => {
    await addMember(world.alice, workspace_id, params.id, world.bob)
    const folder = await world.alice.call(api.folders.create, { body: { workspace_id, name: 'Finance' } })
    const grant = { workspace_id, group_id: params.id, verb: 'grant', folder_action: 'view' } as const
    await world.alice.call(api.permissions.set, { params: { id: folder.id }, body: grant })
    await world.alice.call(groups.setAccessExpiry, expireAt('2199-01-01'))
    const bobSees = () => world.bob.statusOf(api.folders.get, { params: { id: folder.id }, query: { workspace_id } })
    expect(await bobSees()).toBe(200)

    await service.services.db
      .updateTable('groups')
      .set({ expire_workspace_access_at: day(0) })
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', params.id)
      .execute()
    expect(await bobSees()).toBe(404)
    expect(await world.bob.call(groups.get, { params, query: { workspace_id } })).toMatchObject({ expired: true })
    await world.alice.call(groups.removeAccessExpiry, { params, body: { workspace_id } })
    expect(await bobSees()).toBe(200)
  })
})

describe('admin groups', () => {
  it('accept no protection and no expiry, because admins may do everything', async () => {
    for (const id of [builtIn.team_admins, builtIn.workspace_admins]) {
      const call = <G extends object>(group: G) => ({ params: { id }, body: { workspace_id, group } })
      const date = day(3)
      expect([
        await world.alice.statusOf(groups.setDrm, call({ drm_enabled: true })),
        await world.alice.statusOf(groups.setWatermarking, call({ watermarking: true })),
        await world.alice.statusOf(groups.setAccessExpiry, call({ expire_workspace_access_at: date })),
        await world.alice.statusOf(groups.update, call({ file_managing_abilities: true })),
      ]).toEqual([422, 422, 422, 422])
    }
  })
})
