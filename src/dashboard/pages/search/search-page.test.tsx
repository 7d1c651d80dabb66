import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { folderContent, folderMeta } from '../../testing/folders.ts'
import { renderAt } from '../../testing/render-at.tsx'

type Hit = Reply<typeof api.files.search>[number]

const times = { created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' }
const lease: Hit = {
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

function inRoom(hits: Hit[]) {
  return fakeApi()
    .on(api.workspaces.get, {
      id: 5,
      name: 'Harbour',
      team_id: 1,
      admin: true,
      team_member: true,
      team_rules: null,
      terms_await: false,
      look: null,
      numbering: 'fixed',
      measures_reading: true,
      reading_kept_days: 365,
      ...times,
    })
    .on(api.folders.search, [])
    .on(api.files.search, ({ query }) => (query.folder_id === 4 || query.type === 'image' ? [] : hits))
    .on(
      api.workspaces.home,
      folderContent({}, { folders: [folderMeta({ id: 4, name: 'Legal' }), folderMeta({ id: 6, name: 'Property' })] }),
    )
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [])
}

test('a result shows the matching text, with the matches highlighted', async () => {
  const text = 'the <b>tenant</b> shall indemnify the landlord'
  const marks = [
    { start: 7, end: 13 },
    { start: 24, end: 33 },
  ]
  inRoom([{ ...lease, snippet: { text, marks, hits: 14, is_partial: false } }])
  renderAt('/workspaces/5/search?q=tenant%20indem')
  const link = await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/9/view?find=tenant+indem')
  const place = screen.getByRole('link', { name: '/2 Property/2.1 Leases' })
  expect(place.getAttribute('href')).toBe('/workspaces/5/files/8?file=9')
  const row = screen.getByRole('listitem')
  expect(within(row).getByText('tenant').tagName).toBe('MARK')
  expect([...row.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['tenant', 'indemnify'])
  expect(row.querySelector('p[dir=auto]')?.textContent).toBe(text)
  expect(within(row).getByText('14 hits')).toBeTruthy()
})

test('cells of a table are kept apart, and a part of a long text is not taken for the whole', async () => {
  const snippet = { text: 'Quay\t12\t\t9', marks: [{ start: 0, end: 4 }], hits: 1200, is_partial: true }
  inRoom([{ ...lease, snippet }])
  renderAt('/workspaces/5/search?q=quay')
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  const row = screen.getByRole('listitem')
  expect(row.querySelector('p[dir=auto]')?.textContent).toBe('Quay │ 12 │ 9')
  expect(within(row).getByText('1,200 hits or more')).toBeTruthy()
})

test('a match in the title alone shows no text', async () => {
  inRoom([lease])
  renderAt('/workspaces/5/search?q=lease')
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(screen.getByRole('listitem').querySelector('mark')).toBeNull()
})

test('a search without results says so', async () => {
  inRoom([])
  renderAt('/workspaces/5/search?q=nothing')
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
})

test('a search can be limited to one folder and has a page size, both in the address', async () => {
  const fake = inRoom([lease])
  const { user, address } = renderAt('/workspaces/5/search?q=lease&page=2')
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  await user.click(screen.getByRole('combobox', { name: 'Per page' }))
  await user.click(await screen.findByRole('option', { name: '100' }))
  await waitFor(() => expect(fake.calls.at(-1)).toContain('page=1&per_page=100'))
  await user.click(await screen.findByRole('combobox', { name: 'Folder' }))
  await user.click(await screen.findByRole('option', { name: '1 Legal' }))
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
  expect(address()).toBe('/workspaces/5/search?q=lease&per_page=100&folder=4')
})

test('results can be filtered by type and time of change; a filter that matches nothing can be cleared', async () => {
  const fake = inRoom([lease])
  const { user, address } = renderAt('/workspaces/5/search?q=lease&changed=7')
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(fake.calls.at(-1) ?? '').not.toContain('/folders/search')
  expect(fake.calls.join()).toMatch(/changed_since=\d{4}-\d\d-\d\d/)
  await user.click(screen.getByRole('combobox', { name: 'Type' }))
  await user.click(await screen.findByRole('option', { name: 'Pictures' }))
  await screen.findByText('No file with these words fits the filter.')
  expect(address()).toBe('/workspaces/5/search?q=lease&changed=7&type=image')
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(address()).toBe('/workspaces/5/search?q=lease')
})

test('folders with a matching name are above the files', async () => {
  inRoom([lease]).on(api.folders.search, [
    { ...folderMeta({ id: 8, name: 'Leases' }), numbered_path: '/2 Property/2.1 Leases' },
  ])
  renderAt('/workspaces/5/search?q=lease')
  const link = await screen.findByRole('link', { name: /Leases \/2 Property$/ })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/8')
})

test('the arrows go through the results and their pages; Escape goes back to where the search began', async () => {
  const many = Array.from({ length: 25 }, (_, at) => ({ ...lease, id: at + 1, title: `Lease ${at + 1}.pdf` }))
  inRoom(many)
  const { user, address, router } = renderAt('/workspaces/5/search?q=lease')
  await screen.findByRole('link', { name: 'Lease 1.pdf' })
  const focused = () => document.activeElement?.textContent
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Lease 1.pdf')
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  expect(focused()).toBe('Lease 2.pdf')
  await user.keyboard('{PageDown}')
  expect(focused()).toBe('Lease 12.pdf')
  await user.keyboard('{End}')
  expect(focused()).toBe('Lease 25.pdf')
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/search?q=lease&page=2'))
  await screen.findByText('Page 2')
  await user.keyboard('{ArrowLeft}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/search?q=lease&page=1'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces/5/files'))
})
