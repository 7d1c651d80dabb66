import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { SmallRoom } from '../../pages/files/testing/room.ts'
import { folderMeta } from '../../testing/folders.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { team } from '../../testing/samples.ts'
import { showPalette } from './palette-state.ts'

const times = { created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' }

beforeEach(() => {
  window.innerWidth = 1440
  sessionStorage.clear()
  showPalette(undefined)
})

function serve(options?: { admin?: boolean }) {
  const type = { file_content_type: 'application/pdf', kind: 'pdf' } as const
  const lease = {
    id: 9,
    title: 'Lease.pdf',
    file_name: 'Lease.pdf',
    ...type,
    index: 1,
    outline: '3.1',
    number_length: 0,
  }
  const deeds = {
    ...folderMeta({ id: 77, name: 'Deeds', parent_id: 3 }),
    numbered_path: '/3 Legal/3.1 Old/3.1.1 Deeds',
  }
  const place = {
    folder_id: 3,
    folder_name: 'Legal',
    folder_path: '/Legal',
    numbered_folder_path: '/3 Legal',
    file_size: '1',
    snippet: null,
    ...times,
  }
  return new SmallRoom()
    .serve(options)
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [team({ name: 'Deal team' })])
    .on(api.folders.search, ({ query }) => ('deeds'.startsWith(query.q) ? [deeds] : []))
    .on(api.files.search, ({ query }) => ('lease'.startsWith(query.q) ? [{ ...lease, ...place }] : []))
}

async function open(options?: { admin?: boolean }) {
  serve(options)
  const view = renderAt('/workspaces/5/files/2')
  await screen.findByRole('grid')
  return view
}

const field = () => screen.findByRole('combobox', { name: 'Type a command or a name' })
const options = () => within(screen.getByRole('listbox', { name: 'Commands' })).getAllByRole('option')
const labels = () => options().map((option) => option.querySelector('.label')?.textContent)

// This test must be the first: the later tests find the palette loaded.
test('the palette continues with input typed before it was loaded', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}deeds{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/77'), { timeout: 15_000 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('Ctrl+K finds a place by a few letters and goes there; Escape closes', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}')
  const input = await field()
  await waitFor(() => expect(document.activeElement).toBe(input))
  await user.keyboard('acti')
  await waitFor(() => expect(labels()[0]).toBe('Activity'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/activities'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the arrows move the active option, and the field refers to it', async () => {
  const { user } = await open()
  await user.keyboard('{Control>}k{/Control}')
  const input = await field()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  const active = options().find((option) => option.getAttribute('aria-selected') === 'true')
  expect(active).toBe(options()[1])
  expect(input.getAttribute('aria-activedescendant')).toBe(active?.id)
})

test('actions on the selected lines are offered, and their field gets the focus', async () => {
  const { user } = await open()
  await user.click(screen.getByText('Cap table.xlsx', { selector: '.title' }))
  await user.keyboard('{Control>}k{/Control}')
  await field()
  expect(screen.getByText('“Cap table.xlsx”')).toBeTruthy()
  await user.keyboard('rename{Enter}')
  const name = await screen.findByRole('textbox', { name: 'New name of Cap table.xlsx' })
  await waitFor(() => expect(document.activeElement).toBe(name))
})

test('a member is not offered the places of admins', async () => {
  const { user } = await open({ admin: false })
  await user.keyboard('{Control>}k{/Control}')
  await field()
  const shown = labels()
  expect(shown).toContain('Activity')
  expect(shown).not.toContain('Access')
  expect(shown).not.toContain('Recently deleted')
})

test('folders and files are found by name', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('lega')
  await waitFor(() => expect(labels()[0]).toBe('Legal'))
  await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}lease')
  await waitFor(() => expect(labels()).toContain('Lease.pdf'))
  await user.click(screen.getByText('Lease.pdf'))
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/9/view?find=lease'))
})

test('results from the whole workspace are grouped, with a link to all results', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('deed')
  await waitFor(() => expect(labels()).toEqual(['Deeds']))
  expect(options()[0]?.querySelector('.hint')?.textContent).toBe('1 · /3 Legal/3.1 Old')
  await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}lease')
  await waitFor(() => expect(labels()).toEqual(['Lease.pdf', 'All results for “lease”']))
  const groups = [...screen.getByRole('listbox', { name: 'Commands' }).querySelectorAll('.group')]
  expect(groups.map((group) => group.textContent)).toEqual(['Files'])
  await user.keyboard('{End}{ArrowUp}{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/search?q=lease'))
})

test('a search that fails says why instead of finding nothing', async () => {
  serve().fail(api.files.search, 500, 'The search is away.')
  const { user } = renderAt('/workspaces/5/files/2')
  await screen.findByRole('grid')
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('qqqq')
  expect((await screen.findAllByText('The search is away.')).length).toBeGreaterThan(0)
  expect(screen.queryByText(/Nothing matches/)).toBeNull()
})

test('Enter waits for the running search, and runs nothing else', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('deeds{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/77'))
})

test('recent choices come first the next time', async () => {
  const { user, address } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('Corporate')
  await waitFor(() => expect(labels()[0]).toBe('Corporate'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/1'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('{Control>}k{/Control}')
  await field()
  expect(labels()[0]).toBe('Corporate')
  expect(screen.getByText('Recent')).toBeTruthy()
})

test('"?" lists the keys of the page; in a field it is plain input', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('searchbox', { name: 'Filter this folder' }))
  await user.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('{Backspace}')
  screen.getByRole('grid').focus()
  await user.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  const files = within(dialog).getByRole('region', { name: 'Files' })
  expect(within(files).getByText('Rename').parentElement?.textContent).toContain('F2')
  expect(within(dialog).getByRole('region', { name: 'Everywhere' }).textContent).toContain('Ctrl+K')
})
