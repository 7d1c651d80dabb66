import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { SmallRoom } from '../../pages/files/testing/room.ts'
import type { Download } from './download.ts'
import { openTray } from './tray-memory.ts'

const PLACE = '/workspaces/5/files/2'

beforeEach(() => {
  window.innerWidth = 1440
  sessionStorage.clear()
  openTray(1, undefined)
})

const zip = (id: number, status: Download['status'], more: Partial<Download> = {}): Download => ({
  id,
  user_id: 1,
  workspace_id: 5,
  file_ids: [7, 8],
  folder_ids: [3],
  status,
  size: status === 'done' ? '41000000' : null,
  left_out: status === 'done' ? 0 : null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  expires_at: '2026-11-27T09:00:00.000Z',
  ...more,
})

/** Serves a list of zips, which calls change. */
function serve(...before: Download[]) {
  const state = { downloads: before }
  const server = new SmallRoom()
    .serve()
    .on(api.downloads.listStatus, () => ({ downloads: state.downloads }))
    .on(api.downloads.remove, ({ params }) => {
      state.downloads = state.downloads.filter(({ id }) => id !== params.id)
      return { id: params.id, status: 'deleted' as const }
    })
    .on(api.downloads.create, ({ body }) => {
      const made = zip(40, 'processing', body.download)
      state.downloads = [made, ...state.downloads]
      return made
    })
    .on(api.downloads.get, { expiring_url: 'https://elsewhere.example/content/zip', file_name: 'Files.zip' })
  return { server, state }
}

const tray = () => screen.findByRole('region', { name: /Downloads|Making/ })

async function open() {
  const view = renderAt(PLACE)
  await view.user.click(await screen.findByRole('button', { name: /^Downloads/ }))
  return { ...view, tray: await tray() }
}

/** Resolves to the address of the next saved link, which the test does not follow. */
function nextSaved(): Promise<string | null> {
  return new Promise((resolve) => {
    const onClick = (event: Event) => {
      const link = (event.target as Element).closest('a[download]')
      if (!link) return
      event.preventDefault()
      document.removeEventListener('click', onClick)
      resolve(link.getAttribute('href'))
    }
    document.addEventListener('click', onClick)
  })
}

test('the tray shows the content, size, expiry and failure of zips', async () => {
  serve(zip(31, 'done'), zip(30, 'failed'), zip(29, 'expired'))
  const { tray } = await open()
  expect(within(tray).getAllByText('Zip of 1 folder and 2 files')).toHaveLength(3)
  expect(within(tray).getByText(/^41\.0.MB · until 27 Nov 2026$/)).toBeTruthy()
  expect(within(tray).getByText('Could not be made')).toBeTruthy()
  expect(within(tray).getByText('No longer there')).toBeTruthy()
})

test('a finished zip can be downloaded repeatedly', async () => {
  serve(zip(31, 'done'))
  const { user, tray } = await open()
  for (const _ of [1, 2]) {
    const saved = nextSaved()
    await user.click(within(tray).getByRole('button', { name: /^Download Zip/ }))
    expect(await saved).toBe('/content/zip')
  }
})

test('a failed zip can be requested again, and is saved when it is done', async () => {
  const { server, state } = serve(zip(31, 'failed'))
  const { user, tray } = await open()
  await user.click(within(tray).getByRole('button', { name: /^Make .* again/ }))
  await within(tray).findByRole('progressbar', { name: 'In the making' })
  expect(within(tray).getByRole('heading', { name: 'Making 1 zip' })).toBeTruthy()
  expect(server.calls).toContain('DELETE /api/v1/downloads/31?workspace_id=5')
  const saved = nextSaved()
  state.downloads = [zip(40, 'done')]
  expect(await saved).toBe('/content/zip')
  await within(tray).findByText(/until 27 Nov/)
})

test('a deleted zip disappears, and the tray is still open after a reload', async () => {
  serve(zip(31, 'done'), zip(30, 'done', { file_ids: [], folder_ids: [1, 2] }))
  const { user, tray: before, unmount } = await open()
  await user.click(within(before).getByRole('button', { name: 'Delete Zip of 2 folders' }))
  await waitFor(() => expect(within(before).queryByText('Zip of 2 folders')).toBeNull())
  unmount()
  renderAt(PLACE)
  expect(await within(await tray()).findByText('Zip of 1 folder and 2 files')).toBeTruthy()
})

test('closing the tray keeps the zips', async () => {
  const { server } = serve(zip(31, 'done'))
  const { user, tray } = await open()
  await user.click(within(tray).getByRole('button', { name: 'Close downloads' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Downloads' })).toBeNull())
  expect(server.calls.some((call) => call.startsWith('DELETE'))).toBe(false)
  expect(screen.getByRole('button', { name: 'Downloads' })).toBeTruthy()
})

test('a file that is delivered only in a zip is requested as a zip', async () => {
  const { server } = serve()
  server.fail(api.downloads.getFile, 403, 'Ask for it with POST /downloads.')
  const { user } = renderAt(PLACE)
  await user.click(await screen.findByText('Cap table.xlsx', { selector: '.title' }))
  await user.click(within(await screen.findByRole('complementary')).getByRole('button', { name: 'Download' }))
  expect(await within(await tray()).findByText('“Cap table.xlsx”')).toBeTruthy()
  expect(server.calls).toContain('POST /api/v1/downloads')
})

async function askFor(name: string) {
  const view = renderAt(PLACE)
  await view.user.click(await screen.findByText(name, { selector: '.title' }))
  const details = within(await screen.findByRole('complementary'))
  await view.user.click(details.getByRole('button', { name: 'Download' }))
  return { ...view, details }
}

test('a file that must be prepared first says so, is requested once, and is saved when it is ready', async () => {
  const { server } = serve()
  const { promise, resolve } = Promise.withResolvers<{ expiring_url: string; file_name: string }>()
  server.on(api.downloads.getFile, () => promise)
  const { user, details } = await askFor('Cap table.xlsx')
  const list = within(await tray())
  expect(await list.findByRole('progressbar', { name: 'Cap table.xlsx is being made ready' })).toBeTruthy()
  await user.click(details.getByRole('button', { name: 'Download' }))
  expect(server.calls.filter((call) => call.includes('/downloads/file/'))).toHaveLength(1)

  const saved = nextSaved()
  resolve({ expiring_url: 'https://elsewhere.example/content/7', file_name: 'Cap table.pdf' })
  expect(await saved).toBe('/content/7')
  expect(await list.findByText('Given to your browser')).toBeTruthy()
  const again = nextSaved()
  await user.click(list.getByRole('button', { name: 'Download Cap table.xlsx again' }))
  expect(await again).toBe('/content/7')
  await user.click(await list.findByRole('button', { name: 'Take Cap table.xlsx off the list' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Downloads' })).toBeNull())
  expect(screen.queryByRole('button', { name: /^Downloads/ })).toBeNull()
})

test('a file that cannot be prepared is not listed; a notice says why', async () => {
  const { server } = serve()
  server.fail(api.downloads.getFile, 422, 'This file cannot be marked.')
  await askFor('Cap table.xlsx')
  expect(await screen.findByText('Could not download “Cap table.xlsx”. This file cannot be marked.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Downloads/ })).toBeNull()
})

test('a file that could not be sealed is not delivered as an empty zip; a notice says why', async () => {
  const { server, state } = serve()
  server.fail(api.downloads.getFile, 403, 'Ask for it with POST /downloads.')
  await askFor('Cap table.xlsx')
  await tray()
  state.downloads = [zip(40, 'done', { file_ids: [8], folder_ids: [], left_out: 1 })]
  const words = 'Could not download “Cap table.xlsx”. It is delivered as a sealed copy only, and none could be made.'
  expect(await screen.findByText(words)).toBeTruthy()
  expect(server.calls.filter((call) => call.startsWith('GET /api/v1/downloads/40'))).toEqual([])
  expect(within(await tray()).getByText('Left out: the zip says why')).toBeTruthy()
})

test('a zip says how many files it leaves out', async () => {
  serve(zip(1, 'done', { left_out: 2 }), zip(2, 'done'))
  const { tray: shown } = await open()
  expect(within(shown).getAllByText(/left out/)).toHaveLength(1)
  expect(within(shown).getByText(/^2 left out · 41/)).toBeTruthy()
})

test('the tray is open only in the workspace where it was opened, and never without downloads', async () => {
  serve()
  openTray(1, 6)
  const { unmount } = renderAt(PLACE)
  await screen.findByText('Cap table.xlsx', { selector: '.title' })
  expect(screen.queryByRole('region', { name: /Downloads/ })).toBeNull()
  unmount()
  openTray(1, 5)
  renderAt(PLACE)
  await screen.findByText('Cap table.xlsx', { selector: '.title' })
  expect(screen.queryByRole('region', { name: /Downloads/ })).toBeNull()
})
