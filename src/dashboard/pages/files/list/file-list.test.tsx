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

test('the box before a line adds it to the choice, and the box in the head chooses all', async () => {
  const room = new SmallRoom()
  room.files = [1, 2, 3, 4].map((at) => fileNamed(at + 100, `${at}.pdf`, { index: at, folder_id: 1 }))
  room.serve()
  renderAt('/workspaces/5/files/1')
  const line = async (name: string) => screen.findByRole('row', { name: new RegExp(name) })
  const boxOf = (row: HTMLElement) => row.querySelector('.check') as HTMLElement
  const chosen = () => screen.getAllByRole('row', { selected: true }).length
  fireEvent.click(await line('1.pdf'))
  fireEvent.click(boxOf(await line('3.pdf')))
  expect(chosen()).toBe(2)
  fireEvent.doubleClick(boxOf(await line('3.pdf')))
  expect(chosen()).toBe(2)
  fireEvent.click(boxOf(await line('1.pdf')))
  expect(chosen()).toBe(1)
  fireEvent.click(boxOf(await line('3.pdf')), { shiftKey: true })
  expect(chosen()).toBe(3)
  const head = screen.getAllByRole('row')[0] as HTMLElement
  fireEvent.click(boxOf(head))
  expect(chosen()).toBe(4)
  fireEvent.click(boxOf(head))
  expect(screen.queryAllByRole('row', { selected: true })).toEqual([])
})
