import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderAt } from '../../../testing/render-at.tsx'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})

const HOW = 'Opens in a browser after you sign in, until your access or the copy ends.'

/** Shows a file to a member whose downloads are sealed in this folder, or are not. */
async function show(sealed: boolean, viewer_status: 'Ready' | 'Unsupported' = 'Ready') {
  const room = new SmallRoom()
  room.abilities = { download: true, sealed }
  room.files = room.files.map((file) => ({ ...file, viewer_status }))
  room.serve({ admin: false })
  renderAt('/workspaces/5/files/2?file=7')
  await screen.findByRole('heading', { name: 'Board minutes.pdf' })
}

test('a reader whose downloads are sealed is told so, and how the copy opens', async () => {
  await show(true)
  expect(await screen.findByRole('button', { name: 'Download sealed copy' })).toBeTruthy()
  expect(screen.getByText(HOW)).toBeTruthy()
  fireEvent.contextMenu(screen.getByText('Board minutes.pdf', { selector: '.title' }))
  expect(await screen.findByRole('menuitem', { name: /^Download sealed copy/ })).toBeTruthy()
})

test('in a folder where downloads are not sealed, nothing is said of it', async () => {
  await show(false)
  expect(await screen.findByRole('button', { name: 'Download' })).toBeTruthy()
  expect(screen.queryByText(HOW)).toBeNull()
})

test('a file that cannot be sealed offers no download, and the details say why', async () => {
  await show(true, 'Unsupported')
  await screen.findByText('Downloads are sealed copies here, and none can be made of a file without pages.')
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull()
})
