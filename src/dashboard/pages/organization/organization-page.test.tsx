import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { branding, team } from '../../testing/samples.ts'
import type { OrganizationInfo } from './organization-info.ts'

const ada = { ...alice, organization_admin: true }
const carol = {
  ...alice,
  id: 22,
  first_name: 'Carol',
  last_name: 'Clark',
  email: 'carol@example.com',
  status: 'invited' as const,
}
const harbour: OrganizationInfo = {
  id: 1,
  name: 'Harbour Terminals',
  description: '',
  location: 'Rotterdam',
  billing_email: '',
  url: '',
  support_number: '',
  support_email: 'help@harbour.example',
  support_website: '',
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
}

let fake: FakeApi
let sent: unknown

beforeEach(() => {
  sent = undefined
  fake = fakeApi()
    .session({ user: ada })
    .on(api.organization.get, harbour)
    .on(api.organization.listMembers, { memberships: [ada, carol], users: [ada, carol] })
    .on(api.brandings.getForOrganization, branding({ inherited: null }))
    .on(api.teams.list, [team(), team({ id: 3, name: 'Northgate', owner: false, member: false })])
})

const open = async (address = '/organization') => {
  const view = renderAt(address)
  await screen.findByRole('heading', { name: 'Harbour Terminals', level: 1 })
  return view
}
const part = (name: string) => within(screen.getByRole('region', { name }))

/** Chooses an action from the menu of a user. */
async function choose(user: Awaited<ReturnType<typeof open>>['user'], person: string, action: string) {
  await user.click(screen.getByRole('button', { name: `Actions for ${person}` }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the organization page', () => {
  it('lists users with role and status, and every team', async () => {
    await open()
    expect(screen.getByText('2 users, 1 organization admin, 1 not yet here')).toBeTruthy()
    const row = within(screen.getByText('carol@example.com').closest('tr')!)
    expect(row.getByText('Not yet here')).toBeTruthy()
    expect(part('Teams').getByRole('link', { name: 'Northgate' }).getAttribute('href')).toBe('/teams/3')
  })

  it('finds a user, and says if nobody matches', async () => {
    const { user } = await open('/organization?q=carol')
    expect(screen.queryByText('alice@example.com')).toBeNull()
    await user.type(screen.getByRole('searchbox', { name: 'Filter users' }), ' nobody')
    await user.click(await screen.findByRole('button', { name: 'Show everybody' }))
    expect(await screen.findByText('alice@example.com')).toBeTruthy()
  })

  it('saves the information', async () => {
    fake.on(api.organization.update, ({ body }) => ({ ...harbour, ...(sent = body) }) as OrganizationInfo)
    const { user } = await open()
    await user.type(part('Information').getByLabelText('Description'), 'Quays and cranes')
    await user.click(part('Information').getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The information is saved')).toBeTruthy()
    expect(sent).toEqual({ description: 'Quays and cranes' })
  })

  it('says why support information is refused, and keeps the typed text', async () => {
    fake.fail(api.organization.updateSupportInformation, 422, 'The phone number is too long')
    const { user } = await open()
    await user.type(part('Support').getByLabelText('Phone number'), '+31 10 1{Enter}')
    expect((await part('Support').findByRole('alert')).textContent).toBe('The phone number is too long')
    expect(part('Support').getByLabelText('Phone number')).toHaveProperty('value', '+31 10 1')
  })

  it('creates a user', async () => {
    fake.on(api.users.create, ({ body }) => {
      sent = body.user
      return carol
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'New user' }))
    await user.type(await screen.findByLabelText('E-mail address', { selector: '[role=dialog] *' }), 'dan@example.com')
    await user.type(screen.getByLabelText('First name'), 'Dan{Enter}')
    expect(await screen.findByText(/is created and invited/)).toBeTruthy()
    expect(sent).toEqual({ email: 'dan@example.com', first_name: 'Dan', last_name: '' })
  })

  it('reminds a user who has not come yet', async () => {
    fake.on(api.users.remind, carol)
    const { user } = await open()
    await choose(user, 'Carol Clark', 'Remind')
    expect(await screen.findByText(/on its way to carol@example.com/)).toBeTruthy()
  })

  it('makes another user an admin', async () => {
    fake.on(api.organization.addAdmin, ({ body }) => ({ ...(sent = body), created_at: harbour.created_at }))
    const { user } = await open()
    await choose(user, 'Carol Clark', 'Make organization admin')
    await user.click(await screen.findByRole('button', { name: 'Make admin' }))
    expect(await screen.findByText('Carol Clark is now an organization admin')).toBeTruthy()
    expect(sent).toEqual({ user_id: 22 })
  })

  it('keeps the last admin, and shows the reason', async () => {
    fake.fail(api.organization.removeAdmin, 409, 'The last organization admin stays.')
    const { user } = await open()
    await choose(user, 'Alice Adams', 'Take the admin role')
    const dialog = await screen.findByRole('dialog', { name: 'Give up the admin role?' })
    await user.click(within(dialog).getByRole('button', { name: 'Give up' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('The last organization admin stays.')
  })

  it('deletes a user after the e-mail address is typed', async () => {
    fake.on(api.users.remove, { status: 200, message: 'The user was deleted.' })
    const { user } = await open()
    await choose(user, 'Carol Clark', 'Delete')
    const confirm = await screen.findByRole('button', { name: 'Delete user' })
    expect(confirm).toHaveProperty('disabled', true)
    await user.type(screen.getByLabelText('Type “carol@example.com” to confirm'), 'carol@example.com')
    await user.click(confirm)
    expect(await screen.findByText('Carol Clark is deleted')).toBeTruthy()
    expect(fake.calls).toContain('DELETE /api/v1/users?user%5Bid%5D=22')
  })

  it('is closed to other users', async () => {
    fake.session({ user: alice }).fail(api.organization.listMembers, 403, 'This is for organization admins.')
    renderAt('/organization')
    expect(await screen.findByText('You may not see this')).toBeTruthy()
    expect(screen.getByText('This is for organization admins.')).toBeTruthy()
  })
  it('keeps typed text when another user changes the information, and says so', async () => {
    const { user } = await open()
    const website = part('Information').getByLabelText('Website')
    await user.type(website, 'https://harbour.example')
    fake.on(api.organization.get, { ...harbour, url: 'https://other.example', location: 'Antwerp' })
    await act(() => refresh())
    expect(await screen.findByText(/Somebody changed this to “https:\/\/other.example” meanwhile/)).toBeTruthy()
    expect(website).toHaveProperty('value', 'https://harbour.example')
    expect(part('Information').getByLabelText('Location')).toHaveProperty('value', 'Antwerp')
  })
  it('sends a user who gives up the admin role to the home page', async () => {
    fake
      .on(api.users.workspaces, { workspaces: [] })
      .on(api.users.expirations, { expirations: [] })
      .on(api.organization.removeAdmin, undefined)
    const { user, address } = await open()
    await choose(user, 'Alice Adams', 'Take the admin role')
    fake.session({ user: alice }).fail(api.organization.listMembers, 403, 'This is for organization admins.')
    await user.click(await screen.findByRole('button', { name: 'Give up' }))
    expect(await screen.findByText('You are no longer an organization admin')).toBeTruthy()
    expect(address()).toBe('/')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Organization' })).toBeNull())
  })

  it('disappears when another user takes the admin role away', async () => {
    await open()
    fake.fail(api.organization.listMembers, 403, 'This is for organization admins.')
    await act(() => refresh())
    expect(await screen.findByText('You may not see this')).toBeTruthy()
  })
})
