import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { renderAt } from '../../testing/render-at.tsx'
import { rendersDuring, type Drawn } from '../../testing/renders.ts'
import { SmallRoom } from './testing/room.ts'

// Load the page beforehand, so that the first test does not wait for it.
beforeAll(() => import('./files-page.tsx'))

const list = () => screen.getByRole('grid')

/**
 * Opens a folder, chooses Cap table, and returns which parts render until its details are shown and the address has
 * followed.
 */
async function drawnByChoosing(address: string) {
  window.innerWidth = 1440
  new SmallRoom().serve()
  const view = renderAt(address)
  await screen.findByRole('grid')
  // The tree and the details follow the list.
  await within(await screen.findByRole('tree')).findByRole('treeitem', { name: /Finance/ })
  await within(await screen.findByRole('complementary', { name: 'Details' })).findAllByRole('heading')
  return rendersDuring(async (drawn) => {
    await view.user.click(within(list()).getByText('Cap table.xlsx'))
    await within(screen.getByRole('complementary', { name: 'Details' })).findByText(/XLSX spreadsheet/)
    await waitFor(() => expect(view.address()).toContain('file=8'))
    await waitFor(() => expect(names(drawn)).toContain('ListingOwner'))
  })
}

const names = (drawn: readonly Drawn[]) => drawn.map(({ component }) => component)
const lines = (drawn: readonly Drawn[]) =>
  drawn.filter(({ component }) => component === 'ListRow').map(({ key }) => key)

/** Parts of the page that do not show the selection. */
const OTHERS = [
  'Room',
  'ListingOwner',
  'CommandsOwner',
  'DropArea',
  'RoomPanes',
  'FoldersPane',
  'FolderTree',
  'TreeItem',
  'Listed',
  'ListHeader',
  'Breadcrumbs',
  'FolderList',
  'ListHead',
]

test('choosing a line draws this line alone, and no part that does not show the selection', async () => {
  const drawn = await drawnByChoosing('/workspaces/5/files/2')
  expect(lines(drawn)).toEqual(['file-8'])
  expect(names(drawn)).toContain('FileDetails')
  // The owner of the address renders when the address follows; the parts below it do not.
  expect(OTHERS.filter((component) => names(drawn).includes(component))).toEqual(['ListingOwner'])
})

test('choosing another line draws both lines once', async () => {
  const drawn = await drawnByChoosing('/workspaces/5/files/2?file=7')
  expect(lines(drawn).toSorted()).toEqual(['file-7', 'file-8'])
})
