import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAt } from '../../../testing/render-at.tsx'
import { fileNamed } from '../testing/entries.ts'
import { SmallRoom } from '../testing/room.ts'

const FILES = 120

test('only lines in view are in the DOM, but all lines are on paper', async () => {
  const room = new SmallRoom()
  room.files = Array.from({ length: FILES }, (_, at) =>
    fileNamed(at + 100, `${at + 1}.pdf`, { index: at + 1, folder_id: 1 }),
  )
  room.serve()
  renderAt('/workspaces/5/files/1')
  await screen.findByRole('grid')
  const lines = () => screen.getAllByRole('row').length - 1
  expect(lines()).toBeLessThan(FILES)
  fireEvent(window, new Event('beforeprint'))
  await waitFor(() => expect(lines()).toBe(FILES))
  fireEvent(window, new Event('afterprint'))
  await waitFor(() => expect(lines()).toBeLessThan(FILES))
})
