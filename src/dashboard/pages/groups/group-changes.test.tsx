import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, member, workspace } from '../../testing/samples.ts'
import type { GroupInfo } from './group-info.ts'

let fake: FakeApi
/** The group as the service has stored it. */
let stored: GroupInfo

beforeEach(() => {
  stored = group()
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, () => [stored])
    .on(api.groups.get, () => stored)
    .on(api.groups.listMembers, [])
    .on(api.workspaces.listMembers, [member()])
    .on(api.groups.setAccessExpiry, ({ body }) => ending(body.group.expire_workspace_access_at))
    .on(api.groups.update, ({ body }) => (stored = { ...stored, name: body.group.name ?? '' }))
})

const ending = (day: string) =>
  (stored = { ...stored, expire_workspace_access: 'true', expire_workspace_access_at: day })

/** Changes the group as another user would, and lets this page notice it. */
const meanwhile = (more: Partial<GroupInfo>) =>
  act(async () => {
    stored = { ...stored, ...more }
    await refresh()
  })

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}
const type = async (user: Awaited<ReturnType<typeof open>>['user'], field: HTMLElement, text: string) => {
  await user.clear(field)
  await user.type(field, text)
}

describe('a group that another user changes', () => {
  it('shows the new end of access if no date is being typed', async () => {
    ending('2095-03-03')
    await open()
    await meanwhile({ expire_workspace_access_at: '2096-04-04' })
    await waitFor(() => expect(screen.getByLabelText('Ends on')).toHaveProperty('value', '2096-04-04'))
    expect(screen.queryByText(/meanwhile/)).toBeNull()
  })

  it('keeps a date that is being typed, says what was set, and accepts either', async () => {
    ending('2095-03-03')
    const { user } = await open()
    const field = screen.getByLabelText('Ends on')
    await type(user, field, '2097-05-05')
    await meanwhile({ expire_workspace_access_at: '2096-04-04' })
    expect(field).toHaveProperty('value', '2097-05-05')
    await screen.findByText(/Somebody changed this to “4 Apr 2096” meanwhile/)
    await user.click(screen.getByRole('button', { name: 'Use that instead' }))
    expect(field).toHaveProperty('value', '2096-04-04')
    await type(user, field, '2097-05-05')
    await user.click(screen.getByRole('button', { name: 'Set' }))
    await waitFor(() => expect(stored.expire_workspace_access_at).toBe('2097-05-05'))
    expect(screen.queryByText(/meanwhile/)).toBeNull()
  })

  it('keeps a last day of DRM that is being typed', async () => {
    stored = group({ drm_enabled: true, drm_expires_after: '2095-03-03' })
    const { user } = await open()
    const field = screen.getByLabelText('Opens until')
    await type(user, field, '2097-05-05')
    await meanwhile({ drm_expires_after: null })
    expect(field).toHaveProperty('value', '2097-05-05')
    await screen.findByText(/Somebody emptied this meanwhile/)
  })

  it('keeps a name that is being typed', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await type(user, field, 'Buyers')
    await meanwhile({ name: 'Lenders' })
    expect(field).toHaveProperty('value', 'Buyers')
    await screen.findByText(/Somebody changed this to “Lenders” meanwhile/)
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await waitFor(() => expect(stored.name).toBe('Buyers'))
  })

  it('shows that access no longer ends, once another user has switched the end off', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('switch', { name: 'Access ends' }))
    await user.click(await screen.findByRole('button', { name: 'Set' }))
    await waitFor(() => expect(stored.expire_workspace_access).toBe('true'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Set' })).toBeNull())
    await meanwhile({ expire_workspace_access: 'false', expire_workspace_access_at: null })
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Access ends' })).toHaveProperty('checked', false))
  })

  it('disappears when it is deleted or the user may no longer see it', async () => {
    await open()
    fake.fail(api.groups.get, 404, 'Not found.')
    await act(() => refresh())
    expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  })

  it('disappears with the workspace for a user who is no longer in it', async () => {
    await open()
    fake.fail(api.workspaces.get, 404, 'Not found.')
    await act(() => refresh())
    expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  })

  it('stays on the screen when it cannot be read again', async () => {
    await open()
    fake.fail(api.groups.get, 500, 'The database is away.')
    await act(() => refresh())
    expect(screen.getByRole('heading', { name: 'Bidders' })).toBeTruthy()
  })
})
