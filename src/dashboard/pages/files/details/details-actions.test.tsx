import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { welcome } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})

/** Shows a file to a member whose downloads are sealed, or not all of them. */
async function show(sealed: 'all' | 'some') {
  const room = new SmallRoom()
  room.abilities = { download: true }
  const protection = { documents: true, marked: 'all', downloads: true, sealed } as const
  room.serve({ admin: false }).on(api.workspaces.getWelcome, welcome({ protection }))
  renderAt('/workspaces/5/files/2?file=7')
  await screen.findByRole('heading', { name: 'Board minutes.pdf' })
}

test('a reader whose downloads are sealed is told so, and how the copy opens', async () => {
  await show('all')
  expect(await screen.findByRole('button', { name: 'Download sealed copy' })).toBeTruthy()
  expect(screen.getByText('Opens in a browser after you sign in, until your access or the copy ends.')).toBeTruthy()
})

test('where only some downloads are sealed, nothing is promised', async () => {
  await show('some')
  await screen.findByRole('button', { name: 'Download' })
  expect(screen.queryByText(/Opens in a browser/)).toBeNull()
})
