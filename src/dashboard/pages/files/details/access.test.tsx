import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})

const buyers = group({
  id: 3,
  name: 'Buyers',
  watermarked: true,
  drm_enabled: false,
  expire_workspace_access_at: '2095-03-03',
})
const lenders = group({ id: 4, name: 'Lenders', watermarked: false, drm_enabled: true })
const former = group({ id: 6, name: 'Former bidders', expired: true })
const admins = group({ id: 1, name: 'Workspace Admins', kind: 'workspace_admins' })

/** The rights of these groups on Finance, in the order in which the groups are listed. */
const finance = (rights: number[]) => ({
  rows: [{ id: 2, parent_id: 0, name: 'Finance', index: 1, children: 1, rights }],
  next: null,
})

const section = () => screen.findByRole('region', { name: 'Access' })
const wordsOf = ({ children: [name, words] }: HTMLElement) => [name?.textContent, words?.textContent]

test('shows which groups may enter the folder, what they may do and which protection applies to them', async () => {
  new SmallRoom()
    .serve()
    .on(api.groups.list, [admins, buyers, lenders, former])
    .on(api.permissions.sheet, finance([3, 5, 7]))
  renderAt('/workspaces/5/files/2')
  const lines = await within(await section()).findAllByRole('listitem')
  expect(lines.map(wordsOf)).toEqual([
    ['Buyers', 'May view and download · Watermark · ends 3 Mar 2095'],
    ['Lenders', 'May view and upload · DRM'],
  ])
  const why = within(await section()).getByRole('link', { name: 'Who can see this, and why?' })
  expect(why.getAttribute('href')).toBe('/workspaces/5/permissions?who=2')
})

test('says when only admins may enter', async () => {
  new SmallRoom()
    .serve()
    .on(api.groups.list, [buyers])
    .on(api.permissions.sheet, finance([0]))
  renderAt('/workspaces/5/files/2')
  expect(await within(await section()).findByText('Only workspace admins come in here.')).toBeTruthy()
})

test.each([
  ['some folders below', [{ ...finance([8]).rows[0]! }]],
  ['all folders below', [...finance([0]).rows, { ...finance([1]).rows[0]!, id: 21, parent_id: 2 }]],
])('names a group that passes through to %s, on a folder but not on its files', async (_, rows) => {
  new SmallRoom().serve().on(api.groups.list, [buyers]).on(api.permissions.sheet, { rows, next: null })
  const { user } = renderAt('/workspaces/5/files/2')
  const line = await within(await section()).findByRole('listitem')
  expect(line.textContent).toContain('Only passes through to folders below')
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  expect(await within(await section()).findByText('Only workspace admins come in here.')).toBeTruthy()
})

test('is hidden when the groups cannot be read, and for members', async () => {
  const failing = new SmallRoom().serve().fail(api.groups.list, 500, 'It broke')
  const { unmount } = renderAt('/workspaces/5/files/2')
  await waitFor(() => expect(failing.calls.some((call) => call.includes('/groups'))).toBe(true))
  await screen.findByText('You may')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Access' })).toBeNull())
  unmount()

  const member = new SmallRoom().serve({ admin: false })
  renderAt('/workspaces/5/files/2')
  await screen.findByText('You may')
  expect(screen.queryByRole('region', { name: 'Access' })).toBeNull()
  expect(member.calls.some((call) => call.includes('/permissions'))).toBe(false)
})
