import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { branding, group, preview, team, welcome, workspace } from '../../testing/samples.ts'

let fake: FakeApi
let name: string

beforeEach(() => {
  name = 'Project Harbour'
  fake = fakeApi()
    .on(api.workspaces.get, () => workspace({ name }))
    .on(api.workspaces.getApiAccess, {
      workspace_id: 5,
      enabled: false,
      enabled_at: null,
      enabled_by_id: null,
      updated_at: '2026-01-05T08:00:00.000Z',
    })
    .on(api.workspaces.listApiAccessMembers, { members: [] })
    .on(api.workspaces.getWelcome, welcome())
    .on(api.workspaces.update, ({ body }) => workspace({ name: (name = body.workspace.name ?? '') }))
    .on(api.brandings.get, branding())
    .on(api.brandings.getForOrganization, branding({ inherited: null }))
    .on(api.groups.list, [group()])
    .on(api.groups.get, group())
    .on(api.groups.listMembers, [alice])
    .on(api.workspaces.listMembers, [])
    .on(api.groups.create, group())
})

const question = () => screen.findByRole('alertdialog', { name: 'Discard your changes?' })
const answer = async (choice: 'Keep editing' | 'Discard') =>
  within(await question()).getByRole('button', { name: choice })
const noQuestion = () => expect(screen.queryByRole('alertdialog')).toBeNull()
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
const isWarned = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('a form with unsaved changes', () => {
  const type = async () => {
    const view = renderAt('/workspaces/5/settings')
    await view.user.type(await field(), ' II')
    return view
  }

  it('asks before a link leaves the page; staying keeps the text, discarding leaves', async () => {
    const { user, address } = await type()
    await user.click(await screen.findByRole('link', { name: 'Groups' }))
    await user.click(await answer('Keep editing'))
    await waitFor(noQuestion)
    expect(address()).toBe('/workspaces/5/settings')
    expect((await field()).value).toBe('Project Harbour II')
    await user.click(await screen.findByRole('link', { name: 'Groups' }))
    await user.click(await answer('Discard'))
    await screen.findByRole('heading', { name: 'Groups' })
    expect(address()).toBe('/workspaces/5/groups')
    await waitFor(() => expect(isWarned()).toBe(false))
  })

  it('warns before the tab is closed, until nothing is unsaved', async () => {
    const { user } = await type()
    await waitFor(() => expect(isWarned()).toBe(true))
    await user.type(await field(), '{Backspace}{Backspace}{Backspace}')
    await waitFor(() => expect(isWarned()).toBe(false))
  })

  it('is left without a question once it is saved', async () => {
    const { user, address } = await type()
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await screen.findByText('Now called Project Harbour II')
    await waitFor(() => expect(isWarned()).toBe(false))
    await user.click(await screen.findByRole('link', { name: 'Groups' }))
    await screen.findByRole('heading', { name: 'Groups' })
    expect(address()).toBe('/workspaces/5/groups')
  })

  it('asks before signing out', async () => {
    const { user } = await type()
    await user.click(screen.getByRole('button', { name: /account of/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await user.click(await answer('Keep editing'))
    await waitFor(noQuestion)
    expect(fake.calls.some((call) => call.startsWith('DELETE'))).toBe(false)
    expect((await field()).value).toBe('Project Harbour II')
  })
})

describe('a dialog with unsaved changes', () => {
  const type = async () => {
    const view = renderAt('/workspaces/5/groups')
    await view.user.click(await screen.findByRole('button', { name: 'New group' }))
    await view.user.type(await field(), 'Advisers')
    return view
  }
  const dialog = () => screen.queryByRole('dialog', { name: 'New group' })

  it('asks on Escape; staying keeps the text, discarding closes the dialog', async () => {
    const { user, address } = await type()
    await user.keyboard('{Escape}')
    await user.click(await answer('Keep editing'))
    await waitFor(noQuestion)
    expect((await field()).value).toBe('Advisers')
    await user.click(await field())
    await user.keyboard('{Escape}')
    await user.click(await answer('Discard'))
    await waitFor(() => expect(dialog()).toBeNull())
    expect(address()).toBe('/workspaces/5/groups')
  })

  it('asks when Back would close it', async () => {
    const { router } = await type()
    void router.navigate(-1)
    await question()
    expect((await screen.findByDisplayValue<HTMLInputElement>('Advisers')).value).toBe('Advisers')
  })

  it('closes without a question by Cancel and by submitting', async () => {
    const { user } = await type()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(dialog()).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'New group' }))
    await user.type(await field(), 'Advisers{Enter}')
    await screen.findByRole('heading', { name: 'Bidders' })
    noQuestion()
  })

  it('closes on Escape without a question if nothing was typed', async () => {
    const { user } = renderAt('/workspaces/5/groups?new=')
    await field()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialog()).toBeNull())
    noQuestion()
  })
})

describe('every form', () => {
  const times = { created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-01-05T08:00:00.000Z' }
  const admin = { ...alice, organization_admin: true }

  beforeEach(() => {
    fake
      .session({ user: admin })
      .on(api.organization.get, {
        id: 1,
        name: 'Harbour Terminals',
        description: '',
        location: '',
        billing_email: '',
        url: '',
        support_number: '',
        support_email: '',
        support_website: '',
        ...times,
      })
      .on(api.organization.listMembers, { memberships: [admin], users: [admin] })
      .on(api.teams.list, [team()])
      .on(api.teams.get, team())
      .on(api.teams.listMembers, { memberships: [{ user: alice, ...times }] })
      .on(api.users.workspaces, { workspaces: [] })
      .on(api.teams.listWatermarkSettings, [])
      .on(api.templates.list, { templates: [] })
      .on(api.teams.usage, { workspaces: 0, allowed_workspaces: 100, file_versions: 0, bytes: 0, administered: [] })
      .on(api.notifications.get, { frequency: 'daily', language: 'en', mail_refused: false, workspaces: [] })
      .on(api.watermarks.preview, preview)
      .on(api.apiKeys.list, { api_keys: [] })
      .on(api.sessions.list, { sessions: [] })
  })

  it.each([
    ['the information of the organization', '/organization', [], 'Location'],
    ['its support information', '/organization', [], 'Phone number'],
    ['the profile', '/account', [], 'First name'],
    ['the limits of a team', '/teams/2', [], 'Admins at most'],
    ['a placement of a watermark', '/teams/2', ['Add a placement'], 'Text'],
  ])('asks about %s', async (_, page, steps, label) => {
    const { user, router, address } = renderAt(page)
    for (const step of steps) await user.click(await screen.findByRole('button', { name: step }))
    const input = await screen.findByRole<HTMLInputElement>('textbox', { name: label })
    await user.type(input, '7')
    const typed = input.value
    void router.navigate('/workspaces/5/groups')
    await user.click(await answer('Keep editing'))
    await waitFor(noQuestion)
    expect(address()).toBe(page)
    expect(input.value).toBe(typed)
    void router.navigate('/workspaces/5/groups')
    await user.click(await answer('Discard'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/groups'))
  })

  it('asks about a day that is chosen but not set', async () => {
    const { user, router, address } = renderAt('/workspaces/5/groups/7')
    await user.click(await screen.findByRole('switch', { name: 'Access ends' }))
    await waitFor(() => expect(isWarned()).toBe(true))
    const input = await screen.findByLabelText('Ends on')
    await user.clear(input)
    await user.type(input, '2095-03-03')
    void router.navigate('/workspaces/5/groups')
    await user.click(await answer('Discard'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/groups'))
  })
})
