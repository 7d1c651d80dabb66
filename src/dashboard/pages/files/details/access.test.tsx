import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Reply } from '../../../../contract/endpoint.ts'
import { type Api, api } from '../../../../contract/index.ts'
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

type Groups = Reply<Api['permissions']['reach']>[number]['groups']
const NONE = { view: false, download: false, upload: false, below: null }
/** What groups may do in Finance, and in the folders below it. */
const finance = (groups: Partial<Groups[number]>[], folders: number | null = null) => [
  { folder_id: 2, folders, documents: null, groups: groups.map((each) => ({ group_id: 3, ...NONE, ...each })) },
]

const section = () => screen.findByRole('region', { name: 'Access' })
/** The last part of a line is an icon. */
const wordsOf = ({ children }: HTMLElement) => [...children].map(({ textContent }) => textContent).filter(Boolean)

test('shows which groups may enter the folder, what they may do and which protection applies to them', async () => {
  new SmallRoom()
    .serve()
    .on(api.groups.list, [admins, buyers, lenders, former])
    .on(
      api.permissions.reach,
      finance([
        { group_id: 3, view: true, download: true },
        { group_id: 4, view: true, upload: true },
        { group_id: 6, view: true, download: true, upload: true },
      ]),
    )
  renderAt('/workspaces/5/files/2')
  const lines = await within(await section()).findAllByRole('listitem')
  expect(lines.map(wordsOf)).toEqual([
    ['Buyers', 'View and download', 'Watermark · to 3 Mar 2095'],
    ['Lenders', 'View and upload', 'Watermark, sealed'],
  ])
})

test('says when only admins may enter', async () => {
  new SmallRoom().serve().on(api.groups.list, [buyers]).on(api.permissions.reach, finance([]))
  renderAt('/workspaces/5/files/2')
  expect(await within(await section()).findByText('Only workspace admins come in here.')).toBeTruthy()
})

test.each([
  ['Passes through to 8 folders', 9, 8],
  ['Passes through to all 8 folders below; later ones not included', 8, 8],
  ['Passes through to folders below', 8, null],
])('says that a group %s, on a folder but not on its files', async (words, folders, view) => {
  const below = { view, download: 0, upload: 0 }
  new SmallRoom()
    .serve()
    .on(api.groups.list, [buyers])
    .on(api.permissions.reach, finance([{ below }], folders))
  const { user } = renderAt('/workspaces/5/files/2')
  const line = await within(await section()).findByRole('listitem')
  expect(wordsOf(line)).toEqual(['Buyers', words, 'Watermark · to 3 Mar 2095'])
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  expect(await within(await section()).findByText('Only workspace admins come in here.')).toBeTruthy()
})

test('leads from the folder, and from a file, to what each group sees of it', async () => {
  new SmallRoom()
    .serve()
    .on(api.groups.list, [buyers])
    .on(api.permissions.reach, finance([{ view: true }]))
  const { user } = renderAt('/workspaces/5/files/2')
  const hrefOf = async () =>
    (await within(await section()).findByRole('link', { name: 'View as Buyers' })).getAttribute('href')
  expect(await hrefOf()).toBe('/workspaces/5/view-as/2?group=3')
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  await waitFor(async () => expect(await hrefOf()).toBe('/workspaces/5/view-as/2?group=3&file=7'))
})

test('says how many folders below a group may not view', async () => {
  const below = { view: 6, download: 0, upload: 0 }
  new SmallRoom()
    .serve()
    .on(api.groups.list, [lenders])
    .on(api.permissions.reach, finance([{ group_id: 4, view: true, below }], 8))
  renderAt('/workspaces/5/files/2')
  expect(await within(await section()).findByText('View, not in 2 of 8 folders below')).toBeTruthy()
})

test('opens who can see the folder, or the chosen file, over the list', async () => {
  const bob = { id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
  const person = {
    user: bob,
    admin: false,
    view: true,
    download: false,
    upload: false,
    drm: false,
    watermark: false,
    marked_pages: true,
    until: '2095-03-03',
    ends: { view: '2095-03-03', download: null, upload: null },
    last_opened_at: null,
    invitation_state: 'arrived' as const,
    terms_await: false,
    reasons: [
      {
        flag: 'view' as const,
        group_id: 3,
        group_name: 'Buyers',
        folder_id: 0,
        folder_name: 'All Folders',
        folder_outline: '',
      },
    ],
  }
  const below = { view: 2, download: 0, upload: 0 }
  const room = new SmallRoom()
    .serve()
    .on(api.groups.list, [buyers, lenders])
    .on(api.permissions.reach, finance([{ view: true }, { group_id: 4, below }], 5))
    .on(api.permissions.listPeople, [person])
    .on(api.permissions.listFilePeople, [
      {
        ...person,
        download: true,
        until: null,
        ends: { view: null, download: '2095-01-02', upload: null },
        last_opened_at: '2026-02-01T08:00:00.000Z',
      },
    ])
  const { user, address } = renderAt('/workspaces/5/files/2')
  await user.click(within(await section()).getByRole('button', { name: 'Who, and why?' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Who can see 2 Finance?' }))
  expect(await dialog.findByText('No file here opened yet')).toBeTruthy()
  for (const text of ['Watermark', 'ends 3 Mar 2095', 'View: Buyers, given on All Folders']) dialog.getByText(text)
  const passing = within(await dialog.findByRole('list', { name: 'Groups that pass through' }))
  expect(passing.getByText('Passes through to 2 folders')).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  await user.keyboard('{Control>}i{/Control}')
  const ofFile = within(await screen.findByRole('dialog', { name: 'Who can see 2.2 Board minutes.pdf?' }))
  expect(await ofFile.findByText(/^Last opened: /)).toBeTruthy()
  expect(ofFile.getByText('Download ends 2 Jan 2095')).toBeTruthy()
  expect(ofFile.queryByRole('list', { name: 'Groups that pass through' })).toBeNull()
  expect(address()).toContain('/workspaces/5/files/2')
  expect(room.calls.some((call) => call.includes('/permissions/files/7/people'))).toBe(true)
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
