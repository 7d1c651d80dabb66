import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, member, workspace } from '../../testing/samples.ts'

const carol = member({
  id: 12,
  status: 'invited',
  invitation_state: 'invited',
  last_active_at: null,
  user: { id: 22, first_name: '', last_name: '', email: 'carol@example.com' },
})

let fake: FakeApi

beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.workspaces.listMembers, [member(), carol])
    .on(api.groups.list, [group()])
})

describe('the people page', () => {
  it('lists members with groups and status', async () => {
    renderAt('/workspaces/5/people')
    const row = (await screen.findByText('bob@example.com')).closest('tr')!
    expect(within(row).getByRole('link', { name: 'Bidders' }).getAttribute('href')).toBe('/workspaces/5/groups/7')
    expect(within(row).getByText('Active')).toBeTruthy()
    expect(screen.getByText('2 people, 1 not yet here')).toBeTruthy()
  })

  it('reminds a user who has not come yet, once', async () => {
    fake.on(api.users.remind, alice)
    const { user } = renderAt('/workspaces/5/people')
    await user.click(await screen.findByRole('button', { name: 'Remind carol@example.com' }))
    expect(await screen.findByText(/on its way to carol@example.com/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Remind carol@example.com' })).toHaveProperty('disabled', true)
  })

  it('invites a person who was added without a mail', async () => {
    fake.on(api.users.remind, alice)
    fake.on(api.workspaces.listMembers, [member({ ...carol, status: 'active', invitation_state: 'not_invited' })])
    const { user } = renderAt('/workspaces/5/people')
    expect(await screen.findByText('Not invited yet')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Invite carol@example.com' }))
    expect(await screen.findByText('The invitation is on its way to carol@example.com')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^(Invite|Remind) carol/ })).toBeNull()
    expect(screen.queryByText('Reminded')).toBeNull()
  })

  it('offers a reminder to a member with an account who has not come in, unless the team sends no e-mails', async () => {
    fake.on(api.workspaces.listMembers, [member({ ...carol, status: 'active', invitation_state: 'invited' })])
    const { unmount } = renderAt('/workspaces/5/people')
    expect(await screen.findByRole('button', { name: 'Remind carol@example.com' })).toBeTruthy()
    unmount()
    const team_rules = { drm_enabled: true, watermarking: true, page_pictures: true, suppress_emails: true }
    fake.on(api.workspaces.get, workspace({ team_rules }))
    renderAt('/workspaces/5/people')
    expect(await screen.findByText(/The team sends no e-mails, so nobody can be invited or reminded/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Remind/ })).toBeNull()
  })

  it('adds a person to a group', async () => {
    let sent: unknown
    fake.on(api.groups.addMember, ({ params, body }) => {
      sent = { ...params, ...body }
      return { ...alice, group_id: 7, user_id: alice.id, invitation: null }
    })
    const { user } = renderAt('/workspaces/5/people?add=')
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'alice@example.com')
    await user.click(screen.getByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'Bidders' }))
    await user.click(screen.getByRole('radio', { name: 'Invite later' }))
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Alice Adams has been added')).toBeTruthy()
    expect(sent).toEqual({ id: 7, workspace_id: 5, email: 'alice@example.com', send_email: false })
  })

  it('D6: shows a changed name with the name in watermarks, until an admin accepts it', async () => {
    const renamed = { user: { first_name: 'Alice', last_name: 'Brown' }, name_changed_at: '2026-02-01T08:00:00.000Z' }
    let people = [member({ ...renamed, marked_name: 'Bob Brown' })]
    let sent: unknown
    fake.on(api.workspaces.listMembers, () => people)
    fake.on(api.workspaces.acceptName, ({ params, body }) => {
      sent = { ...params, ...body }
      people = [member(renamed)]
      return people[0]!
    })
    const { user } = renderAt('/workspaces/5/people')
    expect(await screen.findByText(/was “Bob Brown”. Watermarks still show that name/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Accept the name Alice Brown' }))
    expect(await screen.findByText('Watermarks show Alice Brown from now on')).toBeTruthy()
    expect(sent).toEqual({ id: 5, user_id: 21, first_name: 'Alice', last_name: 'Brown' })
    await waitFor(() => expect(screen.queryByText(/was “Bob Brown”/)).toBeNull())
  })

  it('D6: lets no user accept their own name', async () => {
    const me = { id: alice.id, first_name: 'Alice', last_name: 'Adams', email: alice.email }
    fake.on(api.workspaces.listMembers, [
      member({ user: me, marked_name: '', name_changed_at: '2026-02-01T08:00:00.000Z' }),
    ])
    renderAt('/workspaces/5/people')
    expect(await screen.findByText(/Watermarks show the e-mail address only/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull()
  })

  it('finds people by name, address and group', async () => {
    renderAt('/workspaces/5/people?q=carol')
    expect(await screen.findByText('carol@example.com')).toBeTruthy()
    expect(screen.queryByText('bob@example.com')).toBeNull()
  })

  it('keeps every letter that is typed into the filter, and clears it', async () => {
    const { user, address } = renderAt('/workspaces/5/people')
    const field = await screen.findByRole('searchbox', { name: 'Filter people' })
    await user.type(field, 'nobody')
    expect(field).toHaveProperty('value', 'nobody')
    await waitFor(() => expect(address()).toBe('/workspaces/5/people?q=nobody'))
    await user.clear(field)
    await waitFor(() => expect(address()).toBe('/workspaces/5/people'))
    expect(field).toHaveProperty('value', '')
  })

  it('shows who waits in draft groups in one request, as far as they match the filter, page by page', async () => {
    const user = { id: 30, first_name: 'Dora', last_name: 'Day', email: 'dora@example.com' }
    const asked: object[] = []
    fake.on(api.draftGroups.listWaiting, ({ query }) => {
      asked.push(query)
      const total_items = query.q === 'nobody' ? 0 : 30
      const people = total_items === 0 ? [] : [{ user, groups: [{ id: 9, name: 'Lenders' }] }]
      return { pagination: { total_items, total_pages: 2, page: query.page, per_page: 25 }, people }
    })
    const { user: admin, router } = renderAt('/workspaces/5/people?q=day')
    const waiting = within(await screen.findByRole('region', { name: 'Waiting in draft groups' }))
    expect(screen.getByText('No member of the workspace matches')).toBeTruthy()
    expect(waiting.getByText('Dora Day')).toBeTruthy()
    expect(waiting.getByRole('link', { name: 'Lenders' }).getAttribute('href')).toBe('/workspaces/5/groups/9')
    await admin.click(waiting.getByRole('button', { name: 'Go to page 2' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ q: 'day', page: 2 }))
    await act(() => router.navigate('/workspaces/5/people?q=nobody'))
    await waitFor(() => expect(screen.queryByText('Waiting in draft groups')).toBeNull())
    expect(asked.at(-1)).toMatchObject({ q: 'nobody', page: 1 })
    expect(fake.calls.filter((call) => /groups\/\d+\/memberships/.test(call))).toEqual([])
  })

  it('can be sorted by last activity and by status, in the address', async () => {
    const { user, address } = renderAt('/workspaces/5/people?q=example')
    const names = () => screen.getAllByRole('row').map((row) => /(bob|carol)@example/.exec(row.textContent)?.[1])
    await screen.findByText('bob@example.com')
    expect(names()).toEqual([undefined, 'bob', 'carol'])
    await user.click(screen.getByRole('button', { name: 'Status' }))
    expect(address()).toBe('/workspaces/5/people?q=example&sort=status')
    await waitFor(() => expect(names()).toEqual([undefined, 'carol', 'bob']))
    await user.click(screen.getByRole('button', { name: 'Last active' }))
    await waitFor(() => expect(names()).toEqual([undefined, 'bob', 'carol']))
    expect(screen.getByRole('columnheader', { name: 'Last active' }).getAttribute('aria-sort')).toBe('descending')
    await user.click(screen.getByRole('button', { name: 'Last active' }))
    expect(address()).toBe('/workspaces/5/people?q=example&sort=-active')
    await waitFor(() => expect(names()).toEqual([undefined, 'carol', 'bob']))
  })

  it('leads to what a person did and sees, and removes the person', async () => {
    const removed: unknown[] = []
    fake
      .on(api.groups.list, [group(), group({ id: 1, name: 'All Members', kind: 'all_members' })])
      .on(api.groups.removeMember, ({ params, query }) => void removed.push({ ...params, ...query }))
    const { user } = renderAt('/workspaces/5/people')
    const eye = await screen.findByRole('link', { name: 'View as Bob Brown' })
    expect(eye.getAttribute('href')).toBe('/workspaces/5/view-as?user=21')
    await user.click(await screen.findByRole('button', { name: 'Actions for Bob Brown' }))
    const hrefOf = (name: string) => screen.getByRole('menuitem', { name }).getAttribute('href')
    expect(hrefOf('What they did')).toBe('/workspaces/5/activities?user_id=21')
    expect(hrefOf('What they see')).toBe('/workspaces/5/view-as?user=21')
    await user.click(screen.getByRole('menuitem', { name: 'Remove from the workspace' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Bob Brown?' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Bob Brown is no longer in this workspace')).toBeTruthy()
    expect(removed).toEqual([{ id: 1, workspace_id: 5, user_id: 21 }])
  })

  it('does not offer to remove the last admin, or an admin of the team to others', async () => {
    const admin = member({ admin: true })
    fake.on(api.workspaces.listMembers, [admin, carol])
    const { user, unmount } = renderAt('/workspaces/5/people')
    await user.click(await screen.findByRole('button', { name: 'Actions for Bob Brown' }))
    const item = () => screen.getByRole('menuitem', { name: /Remove from the workspace/ })
    expect(item().textContent).toContain('The last Workspace Admin stays.')
    expect(item().getAttribute('aria-disabled')).toBe('true')
    unmount()
    fake.on(api.workspaces.get, workspace({ team_member: false }))
    fake.on(api.workspaces.listMembers, [
      { ...admin, team_member: true },
      { ...carol, admin: true },
    ])
    const again = renderAt('/workspaces/5/people')
    await again.user.click(await screen.findByRole('button', { name: 'Actions for Bob Brown' }))
    expect(item().textContent).toContain('Only members of the team remove its admins.')
  })

  it('says why a person may not be removed', async () => {
    fake
      .on(api.groups.list, [group({ id: 1, name: 'All Members', kind: 'all_members' })])
      .fail(api.groups.removeMember, 409, 'The last Workspace Admin cannot be removed.')
    const { user } = renderAt('/workspaces/5/people')
    await user.click(await screen.findByRole('button', { name: 'Actions for Bob Brown' }))
    await user.click(screen.getByRole('menuitem', { name: 'Remove from the workspace' }))
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('The last Workspace Admin cannot be removed.')).toBeTruthy()
  })

  it('has the same address after a dialog, and Back does not open the dialog again', async () => {
    const { user, address, router } = renderAt('/workspaces/5/people?q=bob')
    await user.click(await screen.findByRole('button', { name: 'Add person' }))
    expect(address()).toBe('/workspaces/5/people?q=bob&add=')
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(address()).toBe('/workspaces/5/people?q=bob')
    await act(() => router.navigate(-1))
    expect(address()).toBe('/workspaces/5/people?q=bob')
  })

  it('is closed to plain members', async () => {
    fake.fail(api.workspaces.listMembers, 403, 'This is for workspace admins.')
    renderAt('/workspaces/5/people')
    expect(await screen.findByText('You may not see this')).toBeTruthy()
  })
})
