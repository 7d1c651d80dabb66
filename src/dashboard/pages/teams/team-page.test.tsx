import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { preview, team } from '../../testing/samples.ts'
import type { TeamInfo } from './team-info.ts'

const times = { created_at: '2026-01-06T08:00:00.000Z', updated_at: '2026-01-06T08:00:00.000Z' }
const bob = { ...alice, id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
const harbour = {
  id: 5,
  name: 'Project Harbour',
  team_id: 2,
  team_name: 'Deal team',
  admin: true,
  team_member: true,
  terms_await: false,
  members: 5,
  last_activity_at: null,
  favourite: false,
  ...times,
}

let fake: FakeApi
/** The team as the service has stored it. */
let stored: TeamInfo
let bodies: unknown[]

beforeEach(() => {
  stored = team()
  bodies = []
  fake = fakeApi()
    .on(api.teams.get, () => stored)
    .on(api.templates.list, { templates: [] })
    .on(api.teams.listMembers, { memberships: [alice, bob].map((user) => ({ user, ...times })) })
    .on(api.users.workspaces, { workspaces: [harbour, { ...harbour, id: 6, name: 'Elsewhere', team_id: 3 }] })
    .on(api.teams.listWatermarkSettings, [])
    .on(api.watermarks.preview, preview)
    .on(api.teams.update, ({ body }) => {
      bodies.push(body.team)
      const given = Object.entries(body.team).filter(([, value]) => value !== undefined)
      return (stored = { ...stored, ...Object.fromEntries(given) })
    })
})

const open = async () => {
  const view = renderAt('/teams/2')
  await screen.findByRole('heading', { name: 'Deal team', level: 1 })
  return view
}
const part = (name: string) => within(screen.getByRole('region', { name }))
const toggle = (name: string) => screen.getByRole('switch', { name }) as HTMLInputElement

describe('the page of a team', () => {
  it('shows its members, the owner first, and those of its workspaces that the user can enter', async () => {
    await open()
    const people = await screen.findByRole('list', { name: 'Members' })
    expect(within(people).getAllByRole('listitem')[0]?.textContent).toContain('Alice Adams')
    expect(within(people).queryByRole('button', { name: 'Remove Alice Adams' })).toBeNull()
    const link = await part('Workspaces').findByRole('link', { name: 'Project Harbour' })
    expect(link.getAttribute('href')).toBe('/workspaces/5')
    expect(screen.queryByText('Elsewhere')).toBeNull()
  })

  it('keeps typed limits when another user changes them, says so, and saves the typed ones', async () => {
    const { user } = await open()
    const limits = part('Name and limits')
    const workspaces = limits.getByLabelText('Workspaces at most')
    await user.clear(workspaces)
    await user.type(workspaces, '7')
    stored = team({ allowed_workspaces: 50, allowed_admins: 3 })
    await act(() => refresh())
    expect(await limits.findByText(/Somebody changed this to “50” meanwhile/)).toBeTruthy()
    expect(workspaces).toHaveProperty('value', '7')
    expect(limits.getByLabelText('Admins at most')).toHaveProperty('value', '3')
    await user.click(limits.getByRole('button', { name: 'Save' }))
    await screen.findByText('The team is saved')
    await waitFor(() => expect(limits.queryByText(/meanwhile/)).toBeNull())
    expect(stored).toMatchObject({ allowed_workspaces: 7, allowed_admins: 3 })
    expect(limits.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('disappears for a user who is removed from the team', async () => {
    await open()
    fake.fail(api.teams.get, 404, 'There is nothing here that you can see.')
    await act(() => refresh())
    expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  })

  it('sends only the changed limit, which fits the service', async () => {
    const { user } = await open()
    const limits = part('Name and limits')
    expect(limits.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    const workspaces = limits.getByLabelText('Workspaces at most')
    await user.clear(workspaces)
    expect(limits.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await user.type(workspaces, '100001')
    expect(limits.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await user.clear(workspaces)
    await user.type(workspaces, '7{Enter}')
    expect(await screen.findByText('The team is saved')).toBeTruthy()
    expect(bodies).toEqual([{ allowed_workspaces: 7 }])
  })

  it('sends only the changed switch, and takes it back with the reason if it is refused', async () => {
    const { user } = await open()
    await user.click(toggle('E-mails to members'))
    await waitFor(() => expect(bodies).toEqual([{ suppress_emails: true }]))

    fake.fail(api.teams.update, 403, 'This is for members of the team.')
    await user.click(toggle('Watermarking'))
    expect(await screen.findByText('This is for members of the team.')).toBeTruthy()
    await waitFor(() => expect(toggle('Watermarking').checked).toBe(true))
  })

  it('adds a member by e-mail address', async () => {
    const carol = { ...alice, id: 22, first_name: '', last_name: '', email: 'carol@example.com' }
    fake.on(api.teams.addMember, ({ body }) => {
      bodies.push(body)
      return { user: carol, ...times }
    })
    const { user } = await open()
    await user.type(await screen.findByRole('combobox', { name: 'E-mail address' }), 'carol@example.com{Enter}')
    expect(await screen.findByText('carol@example.com is now in Deal team')).toBeTruthy()
    expect(bodies).toEqual([{ email: 'carol@example.com' }])
  })

  it('shows in the dialog why a removal is refused', async () => {
    fake.fail(api.teams.removeMember, 409, 'The owner of a team stays a member of it.')
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Remove Bob Brown' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Bob Brown?' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('The owner of a team stays a member of it.')
  })

  it('is handed over once its name is typed', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Hand over' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('combobox', { name: 'New owner' }))
    await user.click(await screen.findByRole('option', { name: 'Bob Brown' }))
    const confirm = within(dialog).getByRole('button', { name: 'Hand over' })
    expect(confirm).toHaveProperty('disabled', true)
    await user.type(within(dialog).getByLabelText('Type “Deal team” to confirm'), 'Deal team')
    await user.click(confirm)
    expect(await screen.findByText('Bob Brown owns Deal team now')).toBeTruthy()
    expect(bodies).toEqual([{ team_owner_id: 21 }])
  })

  it('cannot be handed over by a member', async () => {
    stored = team({ owner: false, team_owner_id: 21 })
    await open()
    expect(screen.queryByRole('button', { name: 'Hand over' })).toBeNull()
  })

  it('is read-only for an organization admin outside the team, with the reason', async () => {
    stored = team({ owner: false, member: false, team_owner_id: 21 })
    fake.session({ user: { ...alice, organization_admin: true } })
    await open()
    expect(screen.getByText(/because you are an organization admin/)).toBeTruthy()
    expect(toggle('DRM').disabled).toBe(true)
    expect(screen.getByText('100 in the whole team')).toBeTruthy()
    expect(screen.queryByLabelText('Name')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(fake.calls.some((call) => call.includes('/teams/2/memberships'))).toBe(false)
  })

  it('does not exist for other users', async () => {
    fake.fail(api.teams.get, 404, 'Not found')
    renderAt('/teams/2')
    expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  })
})
