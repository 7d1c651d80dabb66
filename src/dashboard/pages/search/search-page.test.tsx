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
  index: 1,
  folder_id: 8,
  folder_name: 'Leases',
  file_size: '1000',
  folder_path: '/Property/Leases',
  snippet: null,
  ...times,
}

function inRoom(hits: Hit[]) {
  return fakeApi()
    .on(api.workspaces.get, { id: 5, name: 'Harbour', team_id: 1, admin: true, team_member: true, ...times })
    .on(api.files.search, ({ query }) => (query.folder_id === 4 ? [] : hits))
    .on(
      api.workspaces.home,
      folderContent({}, { folders: [folderMeta({ id: 4, name: 'Legal' }), folderMeta({ id: 6, name: 'Property' })] }),
    )
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [])
}

test('a result shows where its text matches, the matches highlighted', async () => {
  const text = 'the <b>tenant</b> shall indemnify the landlord'
  const marks = [
    { start: 7, end: 13 },
    { start: 24, end: 33 },
  ]
  inRoom([{ ...lease, snippet: { text, marks } }])
  renderAt('/workspaces/5/search?q=tenant%20indem')
  const link = await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/8?file=9')
  expect(within(link).getByText('tenant').tagName).toBe('MARK')
  expect([...link.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['tenant', 'indemnify'])
  expect(link.querySelector('p[dir=auto]')?.textContent).toBe(text)
})

test('a match of the title alone shows no text', async () => {
  inRoom([lease])
  renderAt('/workspaces/5/search?q=lease')
  const link = await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  expect(link.querySelector('mark')).toBeNull()
})

test('nothing found says what is searched', async () => {
  inRoom([])
  renderAt('/workspaces/5/search?q=nothing')
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
})

test('looks in one folder, and shows as many as are wanted; the address says so', async () => {
  const fake = inRoom([lease])
  const { user, address } = renderAt('/workspaces/5/search?q=lease&page=2')
  await screen.findByRole('link', { name: /Lease – Rotterdam/ })
  await user.click(screen.getByRole('combobox', { name: 'Per page' }))
  await user.click(await screen.findByRole('option', { name: '100' }))
  await waitFor(() => expect(fake.calls.at(-1)).toContain('page=1&per_page=100'))
  await user.click(await screen.findByRole('combobox', { name: 'Folder' }))
  await user.click(await screen.findByRole('option', { name: 'Legal' }))
  expect(await screen.findByText('Nothing matches')).toBeTruthy()
  expect(address()).toBe('/workspaces/5/search?q=lease&per_page=100&folder=4')
})
