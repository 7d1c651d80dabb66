import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { Window } from 'happy-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'

const times = { created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' }
const room = workspace({ team_id: 1, numbering: null })
const lease = {
  id: 9,
  title: 'Lease – Rotterdam.docx',
  file_name: 'lease.docx',
  file_content_type: 'application/msword',
  kind: 'document' as const,
  index: 1,
  outline: '2.3.1',
  number_length: 0,
  folder_id: 8,
  folder_name: 'Leases',
  file_size: '1000',
  folder_path: '/Property/Leases',
  numbered_folder_path: '/2 Property/2.1 Leases',
  snippet: null,
  ...times,
}

/** The search page sends fewer requests than any other page in a workspace. */
const QUIET = '/workspaces/5/search'

function inRoom(facts: Partial<typeof room> = {}): FakeApi {
  return fakeApi()
    .on(api.workspaces.get, { ...room, ...facts })
    .on(api.files.search, ({ query }) => (lease.title.toLowerCase().includes(query.q) ? [lease] : []))
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [])
}

test('the rail shows an admin all sections, and a member only those that members may use', async () => {
  inRoom()
  const { unmount } = renderAt(QUIET)
  const rail = await screen.findByRole('navigation', { name: 'Main' })
  expect(await within(rail).findByRole('link', { name: 'Access' })).toBeTruthy()
  unmount()

  inRoom({ admin: false })
  renderAt(QUIET)
  const memberRail = await screen.findByRole('navigation', { name: 'Main' })
  await within(memberRail).findByRole('link', { name: 'Files' })
  expect(within(memberRail).queryByRole('link', { name: 'Access' })).toBeNull()
  expect(within(memberRail).queryByRole('link', { name: 'Account' })).toBeNull()
})

test('outside a workspace the rail leads to the account', async () => {
  inRoom()
  renderAt('/')
  const rail = await screen.findByRole('navigation', { name: 'Main' })
  expect(within(rail).getByRole('link', { name: 'Account' }).getAttribute('href')).toBe('/account')
})

test('"/" goes to the search, arrows choose a file, Enter opens it', async () => {
  inRoom()
  const { user, address } = renderAt(QUIET)
  const field = await screen.findByRole('combobox', { name: 'Search files' })
  await user.keyboard('/')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.keyboard('lease')
  await screen.findByRole('option', { name: /Lease – Rotterdam/ })
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('/2 Property/2.1 Leases')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/9/view?find=lease'))
})

test('Enter without a choice lists all results', async () => {
  inRoom()
  const { user, address } = renderAt(QUIET)
  await user.type(await screen.findByRole('combobox', { name: 'Search files' }), 'lease{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/search?q=lease'))
  expect(await screen.findByRole('heading', { name: 'Results for “lease”' })).toBeTruthy()
  expect(await screen.findByRole('link', { name: /Lease – Rotterdam/ })).toBeTruthy()
})

test('a search without a match says so', async () => {
  inRoom()
  const { user } = renderAt(QUIET)
  await user.type(await screen.findByRole('combobox', { name: 'Search files' }), 'zebra')
  expect(await screen.findByText('Nothing matches “zebra”')).toBeTruthy()
})

test('a workspace that the user may not see looks like an unknown address, and the frame stays', async () => {
  fakeApi().fail(api.workspaces.get, 404, 'Not found')
  renderAt('/workspaces/99/search')
  expect(await screen.findByText('There is nothing at this address')).toBeTruthy()
  expect(document.title).toBe('There is nothing at this address – Strongroom')
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
})

test('a forbidden page says why, and where to go instead', async () => {
  inRoom().fail(api.organization.listMembers, 403, 'This is for organization admins.')
  const { user, address } = renderAt('/organization')
  expect(await screen.findByRole('heading', { name: 'You may not see this', level: 1 })).toBeTruthy()
  expect(screen.getByText('This is for organization admins.')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Go to your workspaces' }))
  await waitFor(() => expect(address()).toBe('/'))
})

test('a failed read is explained with its request id, and can be tried again', async () => {
  const server = inRoom().fail(api.users.workspaces, 500, 'The database is away')
  const { user } = renderAt('/')
  expect(await screen.findByText(/The database is away/)).toBeTruthy()
  expect(screen.getByText('Request req-test')).toBeTruthy()

  server.on(api.users.workspaces, { workspaces: [] })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No workspace is open to you yet')).toBeTruthy()
})

describe('without a connection', () => {
  beforeEach(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onlineManager.setOnline(false)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    onlineManager.setOnline(true)
  })

  test('a page says that the server cannot be reached, and tries again when the connection is back', async () => {
    const server = inRoom()
    const answering = globalThis.fetch
    globalThis.fetch = (target, init) =>
      String(target).includes('/users/me/workspaces') ? Promise.reject(new TypeError('away')) : answering(target, init)
    renderAt('/')
    expect(await screen.findByText(/The server cannot be reached/, {}, { timeout: 5000 })).toBeTruthy()
    globalThis.fetch = answering
    server.on(api.users.workspaces, { workspaces: [] })
    await act(async () => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText('No workspace is open to you yet')).toBeTruthy()
  })

  test('a change fails at once instead of being made later', async () => {
    inRoom().session({ user: { ...alice, organization_admin: true } })
    const { user } = renderAt('/')
    await user.click(await screen.findByRole('button', { name: 'New team' }))
    globalThis.fetch = () => Promise.reject(new TypeError('away'))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Litigation{Enter}')
    expect((await screen.findByRole('alert')).textContent).toMatch(/The server cannot be reached/)
    expect(screen.getByRole('dialog')).toBeTruthy()
  })
})

test('a session that ended elsewhere leads to the sign-in and keeps the address', async () => {
  const server = inRoom()
  const { user, address } = renderAt(QUIET)
  const field = await screen.findByRole('combobox', { name: 'Search files' })
  server.fail(api.files.search, 401, 'Sign in').session({ user: null })
  await user.type(field, 'lease')
  await waitFor(() => expect(address()).toBe('/sign-in?to=%2Fworkspaces%2F5%2Fsearch'))
  expect(await screen.findByText('Your session has ended. Sign in to go on where you were.')).toBeTruthy()
})

test('signing out leads to the sign-in, without the note about an ended session', async () => {
  const server = inRoom()
  server.raw('POST', '/auth/sign-out', () => ({ status: 204 }))
  const { user, address } = renderAt(QUIET)
  await user.click(await screen.findByRole('button', { name: /account of Alice Adams/ }))
  server.session({ user: null })
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
  await waitFor(() => expect(address()).toBe('/sign-in'))
  expect(screen.queryByText(/Your session has ended/)).toBeNull()
  expect(server.calls).toContain('POST /auth/sign-out')
})

describe('the menu on a phone', () => {
  // The window of happy-dom, in which the tests run, has controls that a browser does not have.
  const { happyDOM, innerWidth: usual } = window as unknown as Window
  beforeEach(() => happyDOM.setViewport({ width: 390 }))
  afterEach(() => happyDOM.setViewport({ width: usual }))

  const menu = () => screen.findByRole('navigation', { name: 'Main' })

  test('a menu opened while a workspace is still loading stays open', async () => {
    const opening = Promise.withResolvers<typeof room>()
    inRoom().on(api.workspaces.get, () => opening.promise)
    const { user, router, address } = renderAt('/nowhere')
    await screen.findByRole('button', { name: 'Menu' })
    void router.navigate(QUIET)
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    await menu()
    opening.resolve(room)
    await waitFor(() => expect(address()).toBe(QUIET))
    await user.click(await within(await menu()).findByRole('link', { name: 'Activity' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/activities'))
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull())
  })

  test('Back closes the menu', async () => {
    inRoom()
    const { user, router, address } = renderAt('/nowhere')
    await router.navigate(QUIET)
    await user.click(await screen.findByRole('button', { name: 'Menu' }))
    await menu()
    await router.navigate(-1)
    await waitFor(() => expect(address()).toBe('/nowhere'))
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull())
  })
})

test('the name of the workspace leads to the others, favourites first', async () => {
  const of = {
    team_id: 1,
    team_name: 'Deal team',
    admin: false,
    team_member: false,
    terms_await: false,
    members: null,
    ...times,
  }
  const others = [
    { ...of, id: 4, name: 'Alpha', favourite: false, last_activity_at: null },
    { ...of, id: 5, name: 'Project Harbour', favourite: true, last_activity_at: null },
    { ...of, id: 6, name: 'Zeta', favourite: true, last_activity_at: null },
  ]
  inRoom().on(api.users.workspaces, { workspaces: others })
  const { user } = renderAt(QUIET)
  await user.click(await screen.findByRole('button', { name: 'Project Harbour, change to another workspace' }))
  await screen.findByRole('menuitem', { name: /Zeta/ })
  const items = screen.getAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['ZetaDeal team', 'AlphaDeal team', 'All spaces'])
  expect(items[0]?.getAttribute('href')).toBe('/workspaces/6')
})

test('the palette opens from the bar', async () => {
  inRoom()
  const { user } = renderAt(QUIET)
  await user.click(await screen.findByRole('button', { name: 'Ctrl+K: Commands' }))
  expect(await screen.findByRole('dialog', { name: 'Commands' })).toBeTruthy()
})
