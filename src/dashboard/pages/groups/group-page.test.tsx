import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, member, workspace } from '../../testing/samples.ts'
import type { GroupInfo } from './group-info.ts'
import { utcDay } from './settings/utc-days.ts'

const bob = { ...alice, id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
const carol = {
  ...alice,
  id: 22,
  first_name: '',
  last_name: '',
  email: 'carol@example.com',
  status: 'invited' as const,
}

let fake: FakeApi
/** The group as the service has stored it. */
let stored: GroupInfo
let bodies: unknown[]

beforeEach(() => {
  stored = group()
  bodies = []
  const change = (more: Partial<GroupInfo>, body: unknown) => {
    bodies.push(body)
    return (stored = { ...stored, ...more })
  }
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, () => [stored])
    .on(api.groups.get, () => stored)
    .on(api.groups.listMembers, [bob, carol])
    .on(api.workspaces.listMembers, [
      member(),
      member({ id: 12, groups: [], user: { id: 23, first_name: 'Dan', email: 'dan@example.com' } }),
    ])
    .on(api.groups.setDrm, ({ body: { group, ...body } }) =>
      change(
        { drm_enabled: group.drm_enabled, drm_expires_after: group.drm_expires_after ?? stored.drm_expires_after },
        { ...body, group },
      ),
    )
    .on(api.groups.removeDrmExpiration, ({ body }) => change({ drm_expires_after: null }, body))
    .on(api.groups.setWatermarking, ({ body }) => change({ watermarked: body.group.watermarking }, body))
    .on(api.groups.setAccessExpiry, ({ body }) => change({ ...body.group, expire_workspace_access: 'true' }, body))
    .on(api.groups.removeAccessExpiry, ({ body }) =>
      change({ expire_workspace_access: 'false', expire_workspace_access_at: null }, body),
    )
})

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}
const toggle = (name: string) => screen.getByRole('switch', { name })
const isOn = (name: string) => (toggle(name) as HTMLInputElement).checked

describe('the security of a group', () => {
  it('switches DRM on, sets a last day, and removes the day again', async () => {
    const { user } = await open()
    await user.click(toggle('DRM'))
    expect(isOn('DRM')).toBe(true)
    await user.type(await screen.findByLabelText('Opens until'), utcDay(10))
    await user.click(screen.getByRole('button', { name: 'Set' }))
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(stored.drm_expires_after).toBeNull())
    expect(bodies).toEqual([
      { workspace_id: 5, group: { drm_enabled: true } },
      { workspace_id: 5, group: { drm_enabled: true, drm_expires_after: utcDay(10) } },
      { workspace_id: 5 },
    ])
  })

  it('takes a refused switch back, with the reason', async () => {
    fake.fail(api.groups.setWatermarking, 422, 'The team has no watermarking.')
    const { user } = await open()
    await user.click(toggle('Watermark'))
    await screen.findByText('The team has no watermarking.')
    await waitFor(() => expect(isOn('Watermark')).toBe(false))
  })

  it('asks for the date before access ends, and refuses a date that is not in the future', async () => {
    const { user } = await open()
    await user.click(toggle('Access ends'))
    const field = await screen.findByLabelText('Ends on')
    expect(bodies).toEqual([])
    await user.clear(field)
    await user.type(field, utcDay())
    expect(screen.getByText('Tomorrow or later')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Set' })).toHaveProperty('disabled', true)
    await user.clear(field)
    await user.type(field, utcDay(1))
    await user.click(screen.getByRole('button', { name: 'Set' }))
    expect(await screen.findByText(/The access of this group ends on/)).toBeTruthy()
    await user.click(toggle('Access ends'))
    await waitFor(() => expect(stored.expire_workspace_access).toBe('false'))
  })

  it('is locked for plain members, who do not see the other members', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false })).fail(api.groups.listMembers, 403, 'For admins.')
    await open()
    expect(toggle('DRM')).toHaveProperty('disabled', true)
    expect(screen.getByText('Only workspace admins see who else is in a group.')).toBeTruthy()
    expect(fake.calls.some((call) => call.includes('memberships'))).toBe(false)
  })

  it('does not apply to admins, whose group cannot be changed', async () => {
    stored = group({ name: 'Workspace Admins', kind: 'workspace_admins' })
    await open()
    expect(screen.getByText(/do not apply to them/)).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  })
})

describe('the members of a group', () => {
  it('are added by name', async () => {
    fake.on(api.groups.addMember, ({ body }) => {
      bodies.push(body)
      return { ...bob, id: 23, first_name: 'Dan', group_id: 7, user_id: 23, invitation: 'sent' as const }
    })
    const { user } = await open()
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'dan')
    await user.click(await screen.findByRole('option', { name: /dan@example.com/ }))
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Dan Brown is now in Bidders')).toBeTruthy()
    expect(bodies).toEqual([{ workspace_id: 5, user_id: 23, send_email: true }])
  })

  it('are added by e-mail address, and a refusal is shown in the form', async () => {
    fake.fail(api.groups.addMember, 422, 'This is no e-mail address.')
    const { user } = await open()
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'nobody')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('This is no e-mail address.')).toBeTruthy()
  })

  it('can be filtered by name or address if there are many', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ ...bob, id: 100 + at, email: `bob${at}@example.com` }))
    fake.on(api.groups.listMembers, [...many, carol])
    const { user } = await open()
    const list = await screen.findByRole('list', { name: 'Members' })
    expect(list.children.length).toBe(13)
    const field = screen.getByRole('searchbox', { name: 'Filter members' })
    await user.type(field, 'carol@')
    expect(list.textContent).toContain('carol@example.com')
    expect(list.children.length).toBe(1)
    await user.type(field, 'x')
    expect(await screen.findByText('Nobody matches')).toBeTruthy()
  })

  it('are removed after a warning; a refusal shows the reason of the service', async () => {
    fake.fail(api.groups.removeMember, 403, 'A Workspace Admin of the team can be removed only by a team member.')
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Remove Bob Brown' }))
    expect(await screen.findByText(/the last group of Bob Brown/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText(/removed only by a team member/)).toBeTruthy()
  })
})

describe('a group', () => {
  it('can be renamed', async () => {
    fake.on(api.groups.update, ({ body }) => (stored = { ...stored, name: body.group.name ?? '' }))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'Buyers{Enter}')
    expect(await screen.findByRole('heading', { name: 'Buyers' })).toBeTruthy()
  })

  it('can be deleted only after its name is typed', async () => {
    fake.on(api.groups.remove, { id: 7, name: 'Bidders' })
    const { user, address } = await open()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const button = await screen.findByRole('button', { name: 'Delete group' })
    expect(button).toHaveProperty('disabled', true)
    await user.type(screen.getByRole('textbox', { name: /to confirm/ }), 'Bidders')
    await user.click(button)
    expect(await screen.findByText('The group Bidders is deleted')).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/workspaces/5/groups'))
  })

  it('that does not exist is reported as not found', async () => {
    fake.fail(api.groups.get, 404, 'Not found.')
    renderAt('/workspaces/5/groups/7')
    expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  })
})
