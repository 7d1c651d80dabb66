import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { canonical } from '../audit/chain.ts'
import { verifyTrail } from '../audit/verify.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../testing/world.ts'

type Entry = Extract<Reply<typeof api.audit.exportOrganization>[number], { type: 'record' }>['entry']

let service: TestService
let world: World
let somebody: Person
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  somebody = await createPerson(service, 'somebody')
})
afterAll(() => service.close())

async function entries(): Promise<Entry[]> {
  const lines = await world.olivia.call(api.audit.exportOrganization, {})
  return lines.flatMap((line) => (line.type === 'record' && line.entry.verb !== 'exported' ? [line.entry] : []))
}

/** The entries that a call adds to the organization's trail. */
async function recorded<E extends AnyEndpoint>(person: Person, endpoint: E, call: Call<E>) {
  const before = (await entries()).length
  await person.call(endpoint, call)
  const added = (await entries()).slice(before)
  expect(added.every((entry) => entry.user_id === person.id)).toBe(true)
  return added.map(({ verb, subject_type, subject_id, message, changes }) => {
    return { verb, subject_type, subject_id, message, changes }
  })
}

describe('the trail of an organization', () => {
  it('records changes of the organization', async () => {
    const subject = { subject_type: 'Organization', subject_id: 1 }
    await world.olivia.call(api.organization.update, { body: { location: 'Porto' } })
    const body = { location: 'Lisbon', name: undefined }
    expect(await recorded(world.olivia, api.organization.update, { body })).toEqual([
      {
        verb: 'updated',
        message: 'updated the organization',
        ...subject,
        changes: { location: { before: 'Porto', after: 'Lisbon' } },
      },
    ])
    expect(await recorded(world.olivia, api.organization.update, { body })).toEqual([])
    const support = { body: { phone_number: '112' } }
    expect(await recorded(world.olivia, api.organization.updateSupportInformation, support)).toEqual([
      {
        verb: 'updated',
        message: 'updated the support information',
        ...subject,
        changes: { support_number: { before: '', after: '112' } },
      },
    ])
  })

  it('records admins added and removed', async () => {
    const subject = { subject_type: 'User', subject_id: somebody.id }
    const body = { user_id: somebody.id }
    const message = 'added Somebody Tester to the organization admins'
    const changes = { organization_admin: { before: false, after: true } }
    expect(await recorded(world.olivia, api.organization.addAdmin, { body })).toEqual([
      { verb: 'added', message, ...subject, changes },
    ])
    expect(await recorded(world.olivia, api.organization.addAdmin, { body })).toEqual([])
    expect(await recorded(world.olivia, api.organization.removeAdmin, { query: body })).toEqual([
      {
        verb: 'removed',
        message: 'removed Somebody Tester from the organization admins',
        ...subject,
        changes: { organization_admin: { before: true, after: false } },
      },
    ])
  })

  it('records users created, updated by themselves, reminded and deleted', async () => {
    const user = { email: 'una@example.com', first_name: 'Una', last_name: 'Tester' }
    const [made] = await recorded(world.olivia, api.users.create, { body: { user } })
    expect(made).toMatchObject({ verb: 'created', message: 'created the user Una Tester', subject_type: 'User' })
    expect(made?.changes).toEqual({
      email: { after: 'una@example.com' },
      first_name: { after: 'Una' },
      last_name: { after: 'Tester' },
      time_zone: { after: 'UTC' },
    })
    const id = made?.subject_id ?? 0
    const subject = { subject_type: 'User', subject_id: id }
    expect(await recorded(world.olivia, api.users.remind, { params: { id }, body: {} })).toEqual([
      { verb: 'reminded', message: 'reminded Una Tester', ...subject, changes: null },
    ])
    const activated = {
      verb: 'activated',
      message: 'signed in for the first time',
      subject_type: 'User',
      subject_id: world.bob.id,
      changes: { status: { before: 'invited', after: 'active' } },
    }
    await service.admin.call(api.signInCodes.vouch, { body: { email: world.bob.email } })
    expect(await recorded(world.bob, api.users.signIn, {})).toEqual([activated])
    expect(await recorded(world.bob, api.users.signIn, {})).toEqual([])
    const zone = { body: { user: { time_zone: 'Asia/Tokyo', first_name: 'Bob' } } }
    expect(await recorded(world.bob, api.users.updateMe, zone)).toEqual([
      {
        verb: 'updated',
        message: 'updated their account',
        subject_type: 'User',
        subject_id: world.bob.id,
        changes: { time_zone: { before: 'UTC', after: 'Asia/Tokyo' } },
      },
    ])
    const [gone] = await recorded(world.olivia, api.users.remove, { query: { user: { id } } })
    expect(gone).toMatchObject({ verb: 'deleted', message: 'deleted the user Una Tester', ...subject })
    expect(gone?.changes).toMatchObject({ email: { before: 'una@example.com' } })
  })

  it('records users who join through an invitation to a team', async () => {
    const call = { params: { id: world.team_id }, body: { email: 'new@example.com' } }
    const [made, added] = await recorded(world.tina, api.teams.addMember, call)
    expect(made).toMatchObject({ verb: 'created', message: 'created the user new@example.com' })
    expect(added).toMatchObject({ verb: 'added', message: 'added new@example.com to the team Deals' })
    expect(added?.changes).toEqual({ user_id: { after: made?.subject_id } })
  })

  it('records teams, their owners and members', async () => {
    const settings = { name: 'Tax', allowed_admins: 3 }
    const [made] = await recorded(world.olivia, api.teams.create, { body: { team: settings } })
    expect(made).toMatchObject({ verb: 'created', message: 'created the team Tax', subject_type: 'Team' })
    expect(made?.changes).toEqual({
      name: { after: 'Tax' },
      allowed_admins: { after: 3 },
      suppress_emails: { after: true },
    })
    const id = made?.subject_id ?? 0
    const subject = { subject_type: 'Team', subject_id: id }
    const params = { id }

    const team = { name: 'Taxes', drm_enabled: false, allowed_admins: 3 }
    expect(await recorded(world.olivia, api.teams.update, { params, body: { team } })).toEqual([
      {
        verb: 'updated',
        message: 'updated the team Taxes',
        ...subject,
        changes: { name: { before: 'Tax', after: 'Taxes' }, drm_enabled: { before: true, after: false } },
      },
    ])
    const user_id = somebody.id
    expect(await recorded(world.olivia, api.teams.addMember, { params, body: { user_id } })).toEqual([
      {
        verb: 'added',
        message: 'added Somebody Tester to the team Taxes',
        ...subject,
        changes: { user_id: { after: user_id } },
      },
    ])
    const handOver = { params, body: { team: { team_owner_id: user_id } } }
    expect(await recorded(world.olivia, api.teams.update, handOver)).toEqual([
      {
        verb: 'updated',
        message: 'made Somebody Tester the owner of the team Taxes',
        ...subject,
        changes: { team_owner_id: { before: world.olivia.id, after: user_id } },
      },
    ])
    const leave = { params, query: { user_id: world.olivia.id } }
    expect(await recorded(somebody, api.teams.removeMember, leave)).toMatchObject([
      { verb: 'removed', ...subject, changes: { user_id: { before: world.olivia.id } } },
    ])
  })

  it('records watermarks before and after a change', async () => {
    const body = { team_id: world.team_id, custom_text: 'Draft' }
    const [made] = await recorded(world.tina, api.watermarks.create, { body })
    expect(made).toMatchObject({ verb: 'created', message: 'added a watermark to the team Deals' })
    expect(made?.changes).toMatchObject({ custom_text: { after: 'Draft' }, opacity: { after: 0.5 } })
    const subject = { subject_type: 'Watermark', subject_id: made?.subject_id }
    const params = { id: made?.subject_id ?? 0 }
    const change = { params, body: { opacity: 0.2, custom_text: 'Draft' } }
    expect(await recorded(world.tina, api.watermarks.update, change)).toEqual([
      {
        verb: 'updated',
        message: 'updated a watermark of the team Deals',
        ...subject,
        changes: { opacity: { before: 0.5, after: 0.2 } },
      },
    ])
    const [gone] = await recorded(world.tina, api.watermarks.remove, { params })
    expect(gone).toMatchObject({ verb: 'deleted', message: 'deleted a watermark of the team Deals', ...subject })
    expect(gone?.changes).toMatchObject({ opacity: { before: 0.2 } })
  })

  it('records API keys, but never a secret', async () => {
    const scopes = ['files:read'] as const
    const key = await world.bob.call(api.apiKeys.create, { body: { name: 'Script', scopes: [...scopes] } })
    const subject = { subject_type: 'ApiKey', subject_id: key.id }
    expect((await entries()).at(-1)).toMatchObject({
      message: 'created the API key Script',
      changes: { name: { after: 'Script' }, scopes: { after: ['files:read'] } },
    })
    const params = { id: key.id }
    const widen = {
      params,
      body: { name: 'Robot', scopes: ['files:read', 'files:write'] as ('files:read' | 'files:write')[] },
    }
    expect(await recorded(world.bob, api.apiKeys.update, widen)).toEqual([
      {
        verb: 'updated',
        message: 'updated the API key Robot',
        ...subject,
        changes: {
          name: { before: 'Script', after: 'Robot' },
          scopes: { before: ['files:read'], after: ['files:read', 'files:write'] },
        },
      },
    ])
    const rotated = await world.bob.call(api.apiKeys.rotate, { params })
    expect((await entries()).at(-1)).toMatchObject({
      verb: 'rotated',
      message: 'rotated the API key Robot',
      ...subject,
    })
    expect(await recorded(world.bob, api.apiKeys.update, { params, body: { revoked: true } })).toEqual([
      {
        verb: 'revoked',
        message: 'revoked the API key Robot',
        ...subject,
        changes: { status: { before: 'active', after: 'revoked' } },
      },
    ])
    const text = JSON.stringify(await world.olivia.call(api.audit.exportOrganization, {}))
    for (const secret of [key.secret_key, rotated.secret_key, key.user_token]) expect(text).not.toContain(secret)
  })

  it('records created workspaces', async () => {
    const body = { workspace: { name: 'Bridge', team_id: world.team_id } }
    const [made] = await recorded(world.alice, api.workspaces.create, { body })
    expect(made).toMatchObject({ verb: 'created', message: 'created the workspace Bridge', subject_type: 'Workspace' })
    expect(made?.changes).toEqual({ name: { after: 'Bridge' }, team_id: { after: world.team_id } })
  })

  it('records refused attempts that name no workspace, or one the caller does not know', async () => {
    const before = (await entries()).length
    await world.bob.refused(api.organization.update, { body: { name: 'Mine' } })
    await world.mallory.refused(api.teams.get, { params: { id: world.team_id } })
    await world.mallory.refused(api.workspaces.get, { params: { id: 2_000_000_000 } })
    await world.olivia.refused(api.users.remove, { query: { user: { id: world.tina.id } } })
    const added = (await entries()).slice(before)
    expect(added.map(({ user_id, message, refusal }) => [user_id, refusal?.status, message])).toEqual([
      [world.bob.id, 403, 'was refused: PUT /api/v1/organization'],
      [world.mallory.id, 404, `was refused: GET /api/v1/teams/${world.team_id}`],
      [world.mallory.id, 404, 'was refused: GET /api/v1/workspaces/2000000000'],
      [world.olivia.id, 409, 'was refused: DELETE /api/v1/users'],
    ])
    expect(added.at(-1)?.refusal?.reason).toBe('a user owns the team "Deals".')
  })

  it('verifies when exported, under either path, and is only for organization admins', async () => {
    const response = await world.olivia.fetch('/api/v1/organizations/1/audit')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=UTF-8')
    const { head } = await verifyTrail((await response.text()).trimEnd().split('\n'))
    expect(head).toMatchObject({ organization_id: 1 })
    expect(await world.tina.statusOf(api.audit.exportOrganization, {})).toBe(403)
  })

  it('does not pass for the trail of a workspace with the same id', async () => {
    const earlier = await verifyTrail(await linesOf(`/api/v1/organization/audit`, world.olivia))
    const lines = await linesOf(`/api/v1/workspaces/${world.workspace_id}/audit`, world.alice)
    expect(world.workspace_id).toBe(1)
    await expect(verifyTrail(lines, earlier)).rejects.toThrow('The earlier export is another trail.')
    const { workspace_id: organization_id, ...rest } = JSON.parse(lines[0] ?? '') as { workspace_id: number }
    const passedOff = lines.with(0, canonical({ ...rest, organization_id }))
    await expect(verifyTrail(passedOff)).rejects.toThrow('Record 1: is not as it was written.')
  })

  const linesOf = async (path: string, person: Person) =>
    (await (await person.fetch(path)).text()).trimEnd().split('\n')
})
