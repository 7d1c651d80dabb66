import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import type { ApiKey, ApiKeyWithSecret } from './api-keys.tsx'
import type { Session } from './devices.tsx'

const times = { created_at: '2026-01-06T08:00:00.000Z', updated_at: '2026-01-06T08:00:00.000Z' }
const nightly: ApiKey = {
  id: 4,
  name: 'Nightly export',
  public_key: 'a'.repeat(40),
  scopes: ['files:read'],
  status: 'active',
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  ...times,
}
const withSecret: ApiKeyWithSecret = { ...nightly, secret_key: 'b'.repeat(64), user_token: 'c'.repeat(40) }

const here: Session = {
  id: 7,
  method: 'code',
  ip: '203.0.113.9',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
  created_at: '2026-01-06T08:00:00.000Z',
  last_seen_at: '2026-01-06T09:00:00.000Z',
}
const phone: Session = {
  ...here,
  id: 5,
  method: 'oidc',
  ip: '198.51.100.7',
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1',
  current: false,
}

let fake: FakeApi
let apiKeys: ApiKey[]
let sessions: Session[]
let settings: Reply<typeof api.notifications.get>

beforeEach(() => {
  apiKeys = []
  sessions = [here]
  settings = {
    frequency: 'daily',
    language: 'en',
    mail_refused: false,
    workspaces: [
      { workspace_id: 5, workspace_name: 'Harbour', frequency: null, suppressed: false, weekly_report: false },
      { workspace_id: 6, workspace_name: 'Quiet', frequency: null, suppressed: true, weekly_report: true },
      { workspace_id: 7, workspace_name: 'Reader', frequency: null, suppressed: false, weekly_report: null },
    ],
  }
  fake = fakeApi()
    .on(api.apiKeys.list, () => ({ api_keys: apiKeys }))
    .on(api.sessions.list, () => ({ sessions }))
    .on(api.notifications.get, () => settings)
})

const open = async () => {
  const view = renderAt('/account')
  await screen.findByRole('heading', { name: 'Profile' })
  return view
}

describe('the account', () => {
  it('can be opened from its menu, which has the organization for organization admins only', async () => {
    fake.on(api.users.workspaces, { workspaces: [] }).on(api.teams.list, [])
    const { user, address } = renderAt('/')
    await user.click(await screen.findByRole('button', { name: /account of Alice Adams/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Account' }))
    await waitFor(() => expect(address()).toBe('/account'))
    await user.click(await screen.findByRole('button', { name: /account of Alice Adams/ }))
    await screen.findByRole('menuitem', { name: 'Account' })
    expect(screen.queryByRole('menuitem', { name: 'Organization' })).toBeNull()
  })

  it('asks for the code sent to a new address, and keeps the old address until the code is entered', async () => {
    const waiting = { ...alice, pending_email: 'alice@new.example' }
    fake.on(api.users.updateMe, () => {
      fake.session({ user: waiting })
      return waiting
    })
    const changed = { ...alice, email: 'alice@new.example' }
    let sent: unknown
    fake.on(api.users.confirmEmail, ({ body }) => {
      sent = body
      fake.session({ user: changed })
      return changed
    })
    const { user } = await open()
    const address = screen.getByRole('textbox', { name: 'E-mail address' })
    await user.clear(address)
    await user.type(address, 'alice@new.example')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('A mail is on its way to alice@new.example')).toBeTruthy()
    expect(address).toHaveProperty('value', 'alice@example.com')
    await user.type(screen.getByRole('textbox', { name: 'Code' }), ' 123456 ')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Your address is alice@new.example now')).toBeTruthy()
    expect(sent).toEqual({ code: '123456' })
    expect(screen.queryByRole('textbox', { name: 'Code' })).toBeNull()
    expect(address).toHaveProperty('value', 'alice@new.example')
  })

  it('reports a wrong code, mails another, and cancels the change of the address', async () => {
    const waiting = { ...alice, pending_email: 'alice@new.example' }
    fake.session({ user: waiting })
    fake.fail(api.users.confirmEmail, 422, 'The code is wrong, no longer valid or was asked for in another browser.')
    fake.on(api.users.resendEmailCode, waiting)
    fake.on(api.users.cancelEmailChange, () => {
      fake.session({ user: alice })
      return alice
    })
    const { user } = await open()
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), '000000')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText(/The code is wrong/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send another code' }))
    expect(await screen.findByText('Another mail is on its way to alice@new.example')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Keep the present address' }))
    expect(await screen.findByText('Your address stays as it is')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Code' })).toBeNull()
  })

  it('sends only the changed fields of the profile, and shows the new name in the frame', async () => {
    let sent: unknown
    fake.on(api.users.updateMe, ({ body }) => {
      sent = body.user
      const user = { ...alice, first_name: 'Alicia', time_zone: 'Europe/Lisbon' }
      fake.session({ user })
      return user
    })
    const { user } = await open()
    const first = screen.getByLabelText('First name')
    await user.clear(first)
    await user.type(first, 'Alicia')
    const zone = screen.getByRole('combobox', { name: 'Time zone' })
    await user.clear(zone)
    await user.type(zone, 'lisb')
    await user.click(await screen.findByRole('option', { name: 'Europe/Lisbon' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Your profile is saved')).toBeTruthy()
    expect(sent).toEqual({ first_name: 'Alicia', time_zone: 'Europe/Lisbon' })
    expect(screen.getByRole('button', { name: /account of Alicia Adams/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('keeps typed text when the profile is changed in another window', async () => {
    const { user } = await open()
    const last = screen.getByLabelText('Last name')
    await user.clear(last)
    await user.type(last, 'Archer')
    fake.session({ user: { ...alice, last_name: 'Abbot', first_name: 'Alicia' } })
    await act(() => queryClient.invalidateQueries(sessionQuery))
    expect(await screen.findByText(/Somebody changed this to “Abbot” meanwhile/)).toBeTruthy()
    expect(last).toHaveProperty('value', 'Archer')
    expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Alicia')
  })

  it('says why an e-mail address is refused', async () => {
    fake.fail(api.users.updateMe, 422, 'The e-mail address is taken')
    const { user } = await open()
    await user.type(screen.getByLabelText('E-mail address'), '.org{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('The e-mail address is taken')
  })

  it('changes the colour scheme', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('radio', { name: 'Dark' }))
    expect(screen.getByRole('radio', { name: 'Dark' })).toHaveProperty('checked', true)
    await user.click(screen.getByRole('radio', { name: 'As the system' }))
  })

  it('keeps the language in this browser, and reloads the page', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    const { user } = await open()
    const english = screen.getByRole<HTMLInputElement>('radio', { name: 'English' })
    expect(english.checked).toBe(true)
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    expect(localStorage.getItem('language')).toBe('de')
    expect(reload).toHaveBeenCalledOnce()
    localStorage.removeItem('language')
  })
})

describe('personal API keys', () => {
  it('are created with scopes and an expiry, and their secret is shown once', async () => {
    let scopes: unknown
    fake.on(api.apiKeys.create, ({ body }) => {
      scopes = body.scopes
      apiKeys = [nightly]
      return withSecret
    })
    const { user } = await open()
    await screen.findByText('No API key yet')
    await user.click(screen.getByRole('button', { name: 'New key' }))
    const create = await screen.findByRole('button', { name: 'Create key' })
    await user.type(screen.getByLabelText('Name'), 'Nightly export')
    expect(create).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('checkbox', { name: 'List, search and read files' }))
    await user.click(create)
    expect(await screen.findByDisplayValue('b'.repeat(64))).toBeTruthy()
    expect(scopes).toEqual(['files:read'])

    await user.click(screen.getByRole('button', { name: 'I have kept it' }))
    await waitFor(() => expect(screen.queryByDisplayValue('b'.repeat(64))).toBeNull())
    const table = await screen.findByRole('table', { name: 'Personal API keys' })
    expect(within(table).getByText('Nightly export')).toBeTruthy()
    expect(within(table).getByText('without end')).toBeTruthy()
  })

  it('get a new secret after a warning', async () => {
    apiKeys = [nightly]
    fake.on(api.apiKeys.rotate, withSecret)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'New secret for Nightly export' }))
    expect(await screen.findByText(/The old secret ends at once/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'New secret' }))
    expect(await screen.findByDisplayValue('b'.repeat(64))).toBeTruthy()
  })

  it('are revoked for good, and stay in the list', async () => {
    apiKeys = [nightly]
    fake.on(api.apiKeys.update, ({ body }) => {
      expect(body).toEqual({ revoked: true })
      return (apiKeys = [{ ...nightly, status: 'revoked' }])[0]!
    })
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Revoke Nightly export' }))
    await user.click(await screen.findByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Revoked')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Revoke Nightly export' })).toBeNull()
  })

  it('report an error when they cannot be read', async () => {
    fake.fail(api.apiKeys.list, 500, 'The database is away')
    renderAt('/account')
    expect(await screen.findByText(/The database is away/)).toBeTruthy()
  })
})

describe('signed-in devices', () => {
  const table = () => screen.findByRole('table', { name: 'Signed-in devices' })
  const row = async (name: RegExp) => within(await table()).getByRole('row', { name })

  it('show which device is this one, and how, where and since when each is signed in', async () => {
    sessions = [here, phone]
    await open()
    expect(within(await row(/Firefox on Linux/)).getByText('This device')).toBeTruthy()
    const other = await row(/Safari on iPhone/)
    expect(other.textContent).toMatch(/198\.51\.100\.7.*Signed in .* through the identity provider/)
    expect(within(other).queryByText('This device')).toBeNull()
    expect(within(await table()).getAllByRole('button')).toHaveLength(1)
  })

  it('are signed out one by one, with immediate effect', async () => {
    sessions = [here, phone]
    fake.on(api.sessions.remove, ({ params }) => {
      expect(params.id).toBe(5)
      sessions = [here]
      return { status: 200, message: 'The session has ended.' }
    })
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    expect(await screen.findByText('Safari on iPhone is signed out')).toBeTruthy()
    expect(screen.queryByText('Safari on iPhone')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('stay in the list when the sign-out fails', async () => {
    sessions = [here, phone]
    fake.fail(api.sessions.remove, 502, 'The service cannot be reached')
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    expect(await screen.findByText('The service cannot be reached')).toBeTruthy()
    expect(await row(/Safari on iPhone/)).toBeTruthy()
  })

  it('are all signed out except this one, after a confirmation', async () => {
    sessions = [here, phone]
    fake.on(api.sessions.removeAll, () => {
      sessions = [here]
      return { status: 200, message: 'One session has ended.' }
    })
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }))
    expect(await screen.findByText(/1 session ends at once/)).toBeTruthy()
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('You are signed out everywhere else')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
    expect(fake.calls).toContain('DELETE /api/v1/user/sessions')
  })
})

describe('mails of news', () => {
  it('are chosen for all workspaces and for one, unless its team suppresses mails', async () => {
    fake
      .on(
        api.notifications.update,
        ({ body }) => (settings = { ...settings, frequency: body.notifications.frequency ?? 'off' }),
      )
      .on(api.notifications.setForWorkspace, ({ body: { frequency } }) => {
        const workspaces = settings.workspaces.map((each) => (each.workspace_id === 5 ? { ...each, frequency } : each))
        return (settings = { ...settings, workspaces })
      })
    const { user } = await open()
    const part = within(await screen.findByRole('region', { name: 'Mails of news' }))
    await user.click(part.getByRole('combobox', { name: 'How often' }))
    await user.click(screen.getByRole('option', { name: 'Weekly' }))
    await waitFor(() => expect(settings.frequency).toBe('weekly'))
    const harbour = part.getByRole('combobox', { name: 'How often: Harbour' })
    expect(harbour.textContent).toBe('As for all: Weekly')
    await user.click(harbour)
    await user.click(screen.getByRole('option', { name: 'Never' }))
    await waitFor(() => expect(settings.workspaces[0]?.frequency).toBe('off'))
    expect(part.queryByRole('combobox', { name: 'How often: Quiet' })).toBeNull()
    expect(part.getByText('The team sends no mails')).toBeTruthy()
  })
})

test('weekly reports are chosen for the workspaces that the user administers, unless the team suppresses mails', async () => {
  fake.on(api.notifications.setWeeklyReport, ({ params, body: { weekly_report } }) => {
    const workspaces = settings.workspaces.map((each) =>
      each.workspace_id === params.id ? { ...each, weekly_report } : each,
    )
    return (settings = { ...settings, workspaces })
  })
  const { user } = await open()
  const part = within(await screen.findByRole('region', { name: 'Weekly reports' }))
  const quiet = part.getByRole<HTMLInputElement>('switch', { name: 'Quiet' })
  expect([quiet.disabled, quiet.checked]).toEqual([true, false])
  expect(part.queryByRole('switch', { name: 'Reader' })).toBeNull()
  await user.click(part.getByRole('switch', { name: 'Harbour' }))
  await waitFor(() => expect(settings.workspaces[0]?.weekly_report).toBe(true))
  fake.fail(api.notifications.setWeeklyReport, 502, 'The service cannot be reached')
  await user.click(part.getByRole('switch', { name: 'Harbour' }))
  expect(await screen.findByText('The service cannot be reached')).toBeTruthy()
  expect(part.getByRole<HTMLInputElement>('switch', { name: 'Harbour' }).checked).toBe(true)
})
