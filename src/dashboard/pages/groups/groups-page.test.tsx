import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, workspace } from '../../testing/samples.ts'

const bidders = group({ drm_enabled: true, drm_expires_after: '2027-03-03', watermarked: true })
const allMembers = group({ id: 1, name: 'All Members', kind: 'all_members', members_count: 9 })

let fake: FakeApi

beforeEach(() => {
  fake = fakeApi().on(api.workspaces.get, workspace()).on(api.groups.list, [bidders, allMembers])
})

const rowOf = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!

describe('the groups page', () => {
  it('lists groups with members and protection, the built-in groups last', async () => {
    renderAt('/workspaces/5/groups')
    const row = await rowOf('Bidders')
    expect(within(row).getByText('DRM to 3 Mar 2027')).toBeTruthy()
    expect(within(row).getByText('Watermark')).toBeTruthy()
    expect(within(await rowOf('All Members')).getByText('9')).toBeTruthy()
    expect(screen.getAllByRole('link', { name: /Bidders|All Members/ }).map((link) => link.textContent)).toEqual([
      'Bidders',
      'All Members',
    ])
  })

  it('creates a group and opens it', async () => {
    fake
      .on(api.groups.create, ({ body }) => group({ id: 9, name: body.group.name }))
      .on(api.groups.get, group({ id: 9, name: 'Lenders' }))
    fake.on(api.groups.listMembers, []).on(api.workspaces.listMembers, [])
    const { user, address, router } = renderAt('/workspaces/5/groups')
    await user.click(await screen.findByRole('button', { name: 'New group' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Lenders')
    await user.click(screen.getByRole('button', { name: 'Create group' }))
    expect(await screen.findByRole('heading', { name: 'Lenders' })).toBeTruthy()
    expect(address()).toBe('/workspaces/5/groups/9')
    await act(() => router.navigate(-1))
    expect(await screen.findByRole('heading', { name: 'Groups' })).toBeTruthy()
    expect(address()).toBe('/workspaces/5/groups')
  })

  it('keeps a refused name in the open form', async () => {
    fake.fail(api.groups.create, 409, 'There is a group of this name.')
    const { user } = renderAt('/workspaces/5/groups?new=')
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Bidders')
    await user.click(screen.getByRole('button', { name: 'Create group' }))
    expect(await screen.findByText('There is a group of this name.')).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Bidders')
  })

  it('says so if no group matches the filter', async () => {
    renderAt('/workspaces/5/groups?q=zzz')
    expect(await screen.findByText('No group matches')).toBeTruthy()
  })

  it('shows plain members their own groups, without counts and without a way to create one', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false })).on(api.groups.list, [group({ members_count: null })])
    renderAt('/workspaces/5/groups')
    await rowOf('Bidders')
    expect(screen.queryByRole('columnheader', { name: 'Members' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New group' })).toBeNull()
  })

  it('tells a user without groups that an admin decides, and reports why groups cannot be read', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false })).on(api.groups.list, [])
    const { unmount } = renderAt('/workspaces/5/groups')
    expect(await screen.findByText('You are in no group')).toBeTruthy()
    unmount()
    fake.fail(api.groups.list, 500, 'The database is away.')
    const { user } = renderAt('/workspaces/5/groups')
    expect(await screen.findByText('The database is away.')).toBeTruthy()
    fake.on(api.groups.list, [bidders])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await rowOf('Bidders')
  })
})
