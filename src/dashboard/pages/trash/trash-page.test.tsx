import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { ApiFailure } from '../../api/failures.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { folderContent } from '../../testing/folders.ts'
import { storedFile } from '../../shared/uploads/testing/stored-file.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'

type Deletion = Reply<typeof api.trash.list>[number]

const deletion = (id: number, name: string, more: Partial<Deletion> = {}): Deletion => ({
  deletion_id: `b2830056-6d5f-49f3-940c-${String(id).padStart(12, '0')}`,
  type: 'file',
  id,
  name,
  file_name: name,
  kind: 'pdf',
  path: '/Finance',
  numbered_path: '/1 Finance',
  in_place: true,
  of_gone_draft: false,
  folder_id: 2,
  folders: 0,
  files: 1,
  size: '2048',
  deleted_at: `2026-11-${id}T09:00:00.000Z`,
  purged_at: `2026-12-${id}T09:00:00.000Z`,
  deleted_by_id: 1,
  deleted_by_name: 'Alice Adams',
  ...more,
})

const SAME = '2026-11-19T09:00:00.000Z'

const three = () => [
  deletion(19, 'Audits', { type: 'folder', folders: 3, files: 12, size: '9100000', path: '/', numbered_path: '/' }),
  deletion(18, 'Budget.xlsx', { numbered_path: '/Audits', in_place: false }),
  deletion(17, 'Lease.pdf', { size: '512000' }),
]

function serve(deleted: Deletion[]) {
  let trash = deleted
  const restored: string[] = []
  const server = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.trash.list, ({ query }) => trash.slice((query.page - 1) * query.per_page, query.page * query.per_page))
    .on(api.trash.restore, ({ params }) => {
      const item = trash.find(({ deletion_id }) => deletion_id === params.deletion_id)
      if (!item) throw new ApiFailure(404, 'not sent')
      trash = trash.filter((each) => each !== item)
      restored.push(item.name)
      const name = item.name === 'Budget.xlsx' ? 'Budget (2).xlsx' : item.name
      // An item returns to its folder if that folder was restored before it.
      const isGone = !item.in_place && !restored.includes('Audits')
      const outcome = name === item.name ? ('done' as const) : ('renamed' as const)
      return { message: 'restored', type: item.type, id: item.id, name, folder_id: isGone ? 0 : 2, outcome }
    })
  return { server, restored }
}

const open = async (address = '/workspaces/5/trash') => {
  const view = renderAt(address)
  await screen.findByRole('table', { name: 'Recently deleted' })
  return view
}

const names = () => [...document.querySelectorAll('tbody .name')].map((name) => name.textContent)

const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^Select ${name}`) })

test('deletions are listed newest first, with their former folder and the day until which they are kept', async () => {
  serve(three())
  await open()
  expect(document.title).toBe('Recently deleted – Strongroom')
  expect(names()).toEqual(['Audits', 'Budget.xlsx', 'Lease.pdf'])
  expect(within(row('Audits')).getByText('with 2 folders and 12 files')).toBeTruthy()
  expect(
    within(row('Budget.xlsx')).getByText('/Audits, which is gone: goes to the top, with the rights there'),
  ).toBeTruthy()
  expect(within(row('Lease.pdf')).getByText('17 Dec 2026')).toBeTruthy()
  expect(within(row('Lease.pdf')).getByText('Alice Adams')).toBeTruthy()
})

test('a file of a draft that is gone cannot be restored by itself', async () => {
  serve([deletion(18, 'Budget.xlsx', { numbered_path: '/Plans', in_place: false, of_gone_draft: true })])
  await open()
  expect(
    within(row('Budget.xlsx')).getByText('/Plans, a folder of a draft, which is gone: restore that folder first'),
  ).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Restore Budget.xlsx' })).toHaveProperty('disabled', true)
})

test('an item is restored, under another name if its own is taken', async () => {
  const { restored } = serve(three())
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Restore Lease.pdf' }))
  await screen.findByText('“Lease.pdf” restored.')
  await waitFor(() => expect(names()).toEqual(['Audits', 'Budget.xlsx']))
  await user.click(screen.getByRole('button', { name: 'Restore Budget.xlsx' }))
  await screen.findByText(
    '“Budget.xlsx” restored at the top as “Budget (2).xlsx”: its folder is gone, and its name is taken there. The rights of the top hold for it.',
  )
  await user.click(screen.getByRole('button', { name: 'Restore Audits' }))
  await screen.findByRole('heading', { name: 'Nothing was deleted' })
  expect(restored).toEqual(['Lease.pdf', 'Budget.xlsx', 'Audits'])
})

test('a folder is restored before items that were deleted from it earlier', async () => {
  const { restored } = serve(three())
  const { user } = await open('/workspaces/5/trash?sort=deleted')
  await user.click(screen.getByRole('checkbox', { name: 'Select Budget.xlsx' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Audits' }))
  const bar = screen.getByRole('toolbar', { name: 'Selection' })
  expect(within(bar).getByRole('status').textContent).toBe('2 selected')
  await user.click(within(bar).getByRole('button', { name: 'Restore' }))
  await screen.findByText('1 folder and 1 file restored. “Budget.xlsx” is now “Budget (2).xlsx”.')
  expect(restored).toEqual(['Audits', 'Budget.xlsx'])
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
  expect(names()).toEqual(['Lease.pdf'])
})

test('a name that is taken is asked about, also where folders of several items are gone', async () => {
  const gone = { numbered_path: '/Old', in_place: false, folder_id: 0 }
  const { server, restored } = serve([deletion(18, 'Budget.xlsx', gone), deletion(17, 'Lease.pdf', gone)])
  const there = { ...storedFile('Budget.xlsx'), outline: '1', number_length: 0 }
  server.on(api.workspaces.home, folderContent({ id: 0 }, { files: [there] }))
  const { user } = await open()
  await user.click(screen.getByRole('checkbox', { name: 'Select everything on this page' }))
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Restore' }))
  const question = await screen.findByRole('dialog', { name: '“Budget.xlsx” is already there' })
  await user.click(within(question).getByRole('button', { name: 'Skip' }))
  await screen.findByText(/^“Lease.pdf” restored at the top: its folder is gone\..* 1 was skipped\.$/)
  expect(restored).toEqual(['Lease.pdf'])
})

test('items that could not be restored are reported by name and reason, and stay in the list', async () => {
  const { server } = serve(three())
  server.fail(api.trash.restore, 409, 'The folder is being moved.')
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Restore Lease.pdf' }))
  await screen.findByText('The folder is being moved.')
  await user.click(screen.getByRole('checkbox', { name: 'Select everything on this page' }))
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Restore' }))
  const report = await screen.findByRole('dialog', { name: '3 of 3 not restored' })
  expect(within(report).getByText('The folder is being moved.')).toBeTruthy()
  expect(within(report).getByText('Budget.xlsx')).toBeTruthy()
  await user.click(within(report).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(names()).toHaveLength(3)
})

test('filter and order are kept in the address and read from it', async () => {
  serve(three())
  const { user, address } = await open('/workspaces/5/trash?type=file&sort=name')
  expect(names()).toEqual(['Budget.xlsx', 'Lease.pdf'])
  await user.click(screen.getByRole('button', { name: 'Size' }))
  await waitFor(() => expect(names()).toEqual(['Lease.pdf', 'Budget.xlsx']))
  expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending')
  await user.click(screen.getByRole('button', { name: 'All' }))
  await user.type(screen.getByRole('searchbox', { name: 'Filter by name, folder or person' }), 'finance lea')
  await waitFor(() => expect(names()).toEqual(['Lease.pdf']))
  expect(address()).toBe('/workspaces/5/trash?sort=-size&q=finance+lea')
})

test('the name of the user who deleted can be filtered by and sorted by', async () => {
  serve([deletion(19, 'Audits'), deletion(18, 'Lease.pdf', { deleted_by_id: 2, deleted_by_name: 'Aaron Bell' })])
  const { user, address } = await open()
  await user.click(screen.getByRole('button', { name: 'By' }))
  await waitFor(() => expect(names()).toEqual(['Lease.pdf', 'Audits']))
  await user.type(screen.getByRole('searchbox', { name: 'Filter by name, folder or person' }), 'alice')
  await waitFor(() => expect(names()).toEqual(['Audits']))
  expect(address()).toBe('/workspaces/5/trash?sort=by&q=alice')
})

test('a filter that matches nothing says so and can be cleared', async () => {
  serve(three())
  const { user } = renderAt('/workspaces/5/trash?q=nowhere')
  await screen.findByRole('heading', { name: 'Nothing matches' })
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
  await screen.findByRole('table')
  expect(names()).toHaveLength(3)
})

test('many items are shown in pages, and can be selected on all of them', async () => {
  serve(Array.from({ length: 60 }, (_, at) => deletion(at + 1, `${at + 1}.pdf`, { deleted_at: SAME, purged_at: SAME })))
  const { user, address } = await open('/workspaces/5/trash?sort=name')
  expect(names()).toHaveLength(50)
  await user.click(screen.getByLabelText('Select everything on this page'))
  await user.click(screen.getByText('Select all 60'))
  await user.click(screen.getByText('Next'))
  await waitFor(() => expect(names()[0]).toBe('51.pdf'))
  expect(address()).toBe('/workspaces/5/trash?sort=name&page=2')
  expect(screen.getByText('60 selected')).toBeTruthy()
})

test('a list that cannot be read can be read again', async () => {
  const { server } = serve(three())
  server.fail(api.trash.list, 500, 'The database is away.')
  const { user } = renderAt('/workspaces/5/trash')
  expect((await screen.findByRole('alert')).textContent).toContain('req-test')
  serve(three())
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('table')
})

test('a member is told that the page is for workspace admins', async () => {
  const { server } = serve([])
  server.fail(api.trash.list, 403, 'Only workspace admins may do this.')
  renderAt('/workspaces/5/trash')
  expect(await screen.findByRole('heading', { name: 'You may not see this' })).toBeTruthy()
  expect(screen.queryByRole('searchbox', { name: 'Filter by name, folder or person' })).toBeNull()
})
