import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { workspace } from '../../testing/samples.ts'
import { type FilesUrl, useFilesUrl } from './use-files-url.ts'

/** A page that loads longer than a chosen file waits for its place in the address. */
const slow = async (text: string) => {
  await new Promise((loaded) => setTimeout(loaded, 500))
  return { Component: () => <h1>{text}</h1> }
}

const STEPS: [string, (url: FilesUrl) => void][] = [
  ['/workspaces/5/questions?ask=&on=7', (url) => url.askAbout(7)],
  ['/workspaces/5/trash', (url) => url.goToTrash()],
  ['/workspaces/5/files/7/view', (url) => url.openFile(7)],
]

test.each(STEPS)('the way to %s does not end where a file was chosen just before', async (address, step) => {
  const Files = () => {
    const url = useFilesUrl({ ...workspace(), id: 5 })
    const leave = () => {
      url.later(() => url.change({ file: 7 }))
      step(url)
    }
    return <button onClick={leave}>Leave</button>
  }
  const routes = [
    { path: '/workspaces/5/files', Component: Files },
    { path: '*', lazy: () => slow('There') },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/workspaces/5/files'] })
  render(<RouterProvider router={router} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('heading', { name: 'There' })).toBeTruthy()
  expect(router.state.location.pathname + router.state.location.search).toBe(address)
})
