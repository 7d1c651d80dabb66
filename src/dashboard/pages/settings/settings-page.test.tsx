import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { branding, group, member, welcome, workspace } from '../../testing/samples.ts'

const off = { workspace_id: 5, enabled: false, enabled_at: null, enabled_by_id: null, updated_at: null }
const on = { ...off, enabled: true, enabled_at: '2026-02-01T08:00:00.000Z', enabled_by_id: 1 }

let fake: FakeApi

beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.workspaces.getApiAccess, off)
    .on(api.workspaces.listApiAccessMembers, { members: [] })
    .on(api.workspaces.getWelcome, welcome())
    .on(api.brandings.get, branding())
    .on(api.workspaces.listMembers, [
      member({ admin: true }),
      member({ id: 12, admin: true, user: { id: alice.id, first_name: 'Alice' } }),
    ])
})

const keys = () => screen.getByRole('switch', { name: 'Personal API keys' }) as HTMLInputElement

describe('the settings of a workspace', () => {
  it('rename the workspace', async () => {
    fake.on(api.workspaces.update, ({ body }) => {
      fake.on(api.workspaces.get, workspace({ name: body.workspace.name ?? '' }))
      return workspace({ name: body.workspace.name ?? '' })
    })
    const { user } = renderAt('/workspaces/5/settings')
    const field = await screen.findByRole('textbox', { name: 'Name' })
    expect(screen.getByRole('button', { name: 'Rename' })).toHaveProperty('disabled', true)
    await user.clear(field)
    await user.type(field, 'Project Lighthouse{Enter}')
    expect(await screen.findByText('Now called Project Lighthouse')).toBeTruthy()
  })

  it('keep a name that is being typed when another user renames the workspace, and say so', async () => {
    const { user } = renderAt('/workspaces/5/settings')
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'Project Lighthouse')
    fake.on(api.workspaces.get, workspace({ name: 'Project Pier' }))
    await act(() => refresh())
    expect(await screen.findByText(/Somebody changed this to “Project Pier” meanwhile/)).toBeTruthy()
    expect(field).toHaveProperty('value', 'Project Lighthouse')
    await user.click(screen.getByRole('button', { name: 'Use that instead' }))
    expect(field).toHaveProperty('value', 'Project Pier')
    expect(screen.getByRole('button', { name: 'Rename' })).toHaveProperty('disabled', true)
  })

  it('allow API keys', async () => {
    fake.on(api.workspaces.enableApiAccess, () => {
      fake.on(api.workspaces.getApiAccess, on)
      return on
    })
    const { user } = renderAt('/workspaces/5/settings')
    await screen.findByText(/Off. The personal API keys/)
    await user.click(keys())
    expect(keys().checked).toBe(true)
    expect(await screen.findByText(/On since 1 Feb/)).toBeTruthy()
  })

  it('take a refused switch back', async () => {
    fake.fail(api.workspaces.enableApiAccess, 403, 'This is for workspace admins.')
    const { user } = renderAt('/workspaces/5/settings')
    await screen.findByText(/Off. The personal API keys/)
    await user.click(keys())
    expect(await screen.findByText('This is for workspace admins.')).toBeTruthy()
    await waitFor(() => expect(keys().checked).toBe(false))
  })

  it('hold the texts of the welcome page and its contact', async () => {
    const sent: unknown[] = []
    fake.on(api.workspaces.updateWelcome, ({ body }) => {
      sent.push(body.welcome)
      return welcome()
    })
    const { user } = renderAt('/workspaces/5/settings')
    await user.type(await screen.findByRole('textbox', { name: /What the room is about/ }), 'A sale')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The welcome page is saved')).toBeTruthy()
    await user.click(screen.getByRole('combobox', { name: 'Contact for readers' }))
    await user.click(await screen.findByRole('option', { name: 'Bob Brown' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent).toEqual([{ description: 'A sale' }, { contact_user_id: 21 }])
  })

  it('let an admin leave the workspace, once its name is typed; a refusal says why', async () => {
    let asked: unknown
    fake
      .on(api.groups.list, [group({ id: 3, kind: 'all_members', name: 'All Members' })])
      .fail(api.groups.removeMember, 409, 'A workspace needs at least one Workspace Admin.')
      .on(api.users.workspaces, { workspaces: [] })
      .on(api.teams.list, [])
    const { user, address } = renderAt('/workspaces/5/settings')
    await user.click(await screen.findByRole('button', { name: 'Leave…' }))
    const leave = await screen.findByRole('button', { name: 'Leave the workspace' })
    expect(leave).toHaveProperty('disabled', true)
    await user.type(screen.getByRole('textbox', { name: /Type/ }), 'Project Harbour')
    await user.click(leave)
    expect(await screen.findByText('A workspace needs at least one Workspace Admin.')).toBeTruthy()
    fake.on(api.groups.removeMember, (input) => {
      asked = { ...input.params, ...input.query }
    })
    await user.click(leave)
    await waitFor(() => expect(address()).toBe('/'))
    expect(await screen.findByText('You have left Project Harbour')).toBeTruthy()
    expect(asked).toEqual({ id: 3, workspace_id: 5, user_id: 1 })
  })

  it('let the last admin not leave, and say why', async () => {
    fake.on(api.workspaces.listMembers, [member({ admin: true, user: { id: alice.id } }), member({ id: 12 })])
    renderAt('/workspaces/5/settings')
    expect(await screen.findByText(/You are the last Workspace Admin, who stays/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Leave…' })).toHaveProperty('disabled', true)
  })

  it('are closed to plain members', async () => {
    fake.fail(api.workspaces.getApiAccess, 403, 'This is for workspace admins.')
    renderAt('/workspaces/5/settings')
    expect(await screen.findByText('You may not see this')).toBeTruthy()
  })

  it('are there without the branding, which can be read again', async () => {
    fake.fail(api.brandings.get, 500, 'Something went wrong on our side.')
    const { user } = renderAt('/workspaces/5/settings')
    const reason = await screen.findByText(/Something went wrong on our side/)
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeTruthy()
    fake.on(api.brandings.get, branding())
    await user.click(within(reason.closest<HTMLElement>('[role=alert]') ?? reason).getByRole('button'))
    expect(await screen.findByRole('textbox', { name: 'Display name' })).toBeTruthy()
  })

  it('refuse an accent that cannot be read, offer the nearest, and save names and accents together', async () => {
    const sent: unknown[] = []
    fake.on(api.brandings.update, ({ body }) => {
      sent.push(body.branding)
      return branding()
    })
    const { user } = renderAt('/workspaces/5/settings')
    await user.type(await screen.findByRole('textbox', { name: 'Display name' }), 'Northgate Partners')
    await user.type(screen.getByRole('textbox', { name: 'Accent in light' }), '#ffcc00')
    const save = screen.getByRole('button', { name: 'Save branding' }) as HTMLButtonElement
    expect(screen.getByText(/is too low to read; 4.5:1 is needed/)).toBeTruthy()
    expect(save.disabled).toBe(true)
    const offer = screen.getByRole('button', { name: /^Take #[0-9a-f]{6} instead$/ })
    const nearest = offer.textContent.split(' ')[1]
    await user.click(offer)
    await user.click(save)
    expect(await screen.findByText('The branding is saved')).toBeTruthy()
    expect(sent).toEqual([{ display_name: 'Northgate Partners', accent_light: nearest }])
  })

  it('show an invitation as it will be sent', async () => {
    const asked: unknown[] = []
    fake.on(api.brandings.preview, ({ body }) => {
      asked.push(body)
      const from = 'Northgate <rooms@rooms.test>'
      return {
        from,
        reply_to: null,
        subject: 'Come to Harbour',
        text: 'Hello {name}',
        html: '<p>Hello</p>',
        pictures: [],
      }
    })
    const { user } = renderAt('/workspaces/5/settings')
    await user.type(await screen.findByRole('textbox', { name: 'Subject' }), 'Come')
    await user.click(screen.getByRole('button', { name: 'Preview' }))
    expect(await screen.findByText('Come to Harbour')).toBeTruthy()
    expect(screen.getByText('Northgate <rooms@rooms.test>')).toBeTruthy()
    expect(asked).toMatchObject([{ language: 'en', branding: { subject_en: 'Come', text_en: null } }])
  })

  it('hold people to contact', async () => {
    const sent: unknown[] = []
    fake.on(api.workspaces.updateWelcome, ({ body }) => {
      sent.push(body.welcome)
      return welcome()
    })
    const { user } = renderAt('/workspaces/5/settings')
    await user.click(await screen.findByRole('button', { name: 'Add a person to contact' }))
    await user.type(screen.getByRole('textbox', { name: 'Role' }), 'Legal')
    await user.click(screen.getByRole('button', { name: 'Save people' }))
    await waitFor(() => expect(sent).toEqual([{ contacts: [{ name: '', role: 'Legal', email: '', phone: '' }] }]))
  })
})
