import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { ApiFailure, noAnswer } from '../../../api/failures.ts'
import { renderElement } from '../../../testing/render-element.tsx'
import { reportAsCsv } from '../send/upload-file.ts'
import { FRESH } from '../upload.ts'
import { mayStop } from './stop-question.ts'
import { storedFile } from '../testing/stored-file.ts'
import { UploadQueue, type UploadQueueParts } from '../upload-queue.ts'
import { UploadTray } from './upload-tray.tsx'

function trayOf(send: UploadQueueParts['send'], ...names: string[]) {
  const idle = { onStored: () => {}, onIdle: () => {}, onFailure: () => {}, findFolder: async () => 0 }
  const queue = new UploadQueue({ send, ...idle })
  const { user } = renderElement(
    <MemoryRouter>
      <UploadTray queue={queue} />
    </MemoryRouter>,
  )
  if (names.length > 0)
    queue.add(
      1,
      5,
      names.map((name) => ({ file: new File(['hello'], name), name })),
    )
  return { user, queue }
}

const never = () => new Promise<never>(() => {})

test('the tray reports the outcome, including new versions', async () => {
  trayOf(async ({ file }) => storedFile(file.name, file.name === 'b.pdf' ? 4 : 1), 'a.pdf', 'b.pdf')
  expect(await screen.findByRole('heading', { name: '2 files uploaded, 1 as a new version' })).toBeTruthy()
  expect(screen.getByText(/New version 4 · 1.B/)).toBeTruthy()
})

test('a failed file says why and can be tried again', async () => {
  let full = true
  const { user } = trayOf(async ({ file }) => {
    if (full) throw new ApiFailure(413, 'The file is larger than 5 GB.')
    return storedFile(file.name)
  }, 'film.mp4')
  expect(await screen.findByText('The file is larger than 5 GB.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: '1 file failed' })).toBeTruthy()

  full = false
  await user.click(screen.getByRole('button', { name: 'Try film.mp4 again' }))
  expect(await screen.findByRole('heading', { name: '1 file uploaded' })).toBeTruthy()
})

test('without uploads there is no tray; while files are being prepared it says so', async () => {
  const { queue } = trayOf(never)
  expect(screen.queryByRole('region')).toBeNull()
  let settle = () => {}
  const prepared = queue.prepare(() => new Promise<void>((resolve) => (settle = resolve)))
  expect(await screen.findByRole('heading', { name: 'Preparing to upload…' })).toBeTruthy()
  settle()
  await prepared
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
})

test('each refused file says why, and all can be tried again', async () => {
  trayOf(
    async () => {
      throw new ApiFailure(403, 'You may not upload into this folder.')
    },
    'a.pdf',
    'b.pdf',
  )
  expect(await screen.findByRole('heading', { name: '2 files failed' })).toBeTruthy()
  expect(screen.getAllByText('You may not upload into this folder.')).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'Try the 2 failed files again' })).toBeTruthy()
})

test('an uploaded file links to its place', async () => {
  trayOf(async ({ file }) => ({ ...storedFile(file.name), id: 12, folder_id: 7 }), 'a.pdf')
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'a.pdf' })
  expect(link.getAttribute('href')).toBe('/workspaces/1/files/7?file=12')
})

test('files of the same name are distinguished by their folders', async () => {
  const { queue } = trayOf(never)
  const inFolder = (folder: string) => ({
    file: Object.assign(new File(['x'], 'a.pdf'), { path: `/${folder}/a.pdf` }),
    name: 'a.pdf',
  })
  queue.add(1, 5, [inFolder('2024'), inFolder('2025')])
  expect(await screen.findByText('2024')).toBeTruthy()
  expect(screen.getByText('2025')).toBeTruthy()
})

test('a file that is being retried says why', async () => {
  let tries = 0
  const queue = trayOf(() => {
    tries += 1
    return tries === 1 ? Promise.reject(noAnswer()) : never()
  }, 'a.pdf').queue
  expect(await screen.findByText(/^Trying again\. The server cannot be reached/)).toBeTruthy()
  expect(queue.snapshot().uploads[0]?.state).toBe('sending')
})

test('closing the tray asks while files are being uploaded', async () => {
  const { user } = trayOf(never, 'a.pdf')
  await user.click(await screen.findByRole('button', { name: 'Close uploads' }))
  await user.click(await screen.findByRole('button', { name: 'Stop uploading' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /uploading/i })).toBeNull())
})

test('other ways to stop uploads, such as signing out, ask as well and can be cancelled', async () => {
  const { user, queue } = trayOf(never, 'a.pdf')
  await screen.findByRole('heading', { name: /^Uploading/ })
  const stop = mayStop(queue.snapshot().uploads)
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await stop).toBe(false)
  expect(queue.snapshot().uploads).toHaveLength(1)
  queue.clear()
  expect(await mayStop(queue.snapshot().uploads)).toBe(true)
})

test('a single file can be taken out of the queue', async () => {
  const { user, queue } = trayOf(never, 'a.pdf', 'b.pdf')
  await user.click(await screen.findByRole('button', { name: 'Cancel a.pdf' }))
  expect(queue.snapshot().uploads.map(({ name }) => name)).toEqual(['b.pdf'])
})

test('a single file can be paused and resumed', async () => {
  const { user } = trayOf(never, 'a.pdf', 'b.pdf')
  await user.click(await screen.findByRole('button', { name: 'Pause b.pdf' }))
  expect(await screen.findByText(/Paused at 0.B of 5.B/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Go on with b.pdf' }))
  expect(await screen.findByText('Waiting')).toBeTruthy()
})

test('an upload that a reload interrupted is listed, and continues when the same file is chosen again', async () => {
  const { user, queue } = trayOf(async ({ file }) => storedFile(file.name))
  const file = new File(['hello'], 'a.pdf')
  const { size, lastModified } = file
  const facts = { ...FRESH, id: 1, workspaceId: 1, folderId: 5, path: [], name: 'a.pdf', fileName: 'a.pdf' }
  queue.recall([{ ...facts, size, lastModified, file: undefined, state: 'missing' }])
  expect(await screen.findByRole('heading', { name: '1 file not uploaded yet' })).toBeTruthy()
  const input = screen.getByLabelText('The same files again')
  await user.upload(input, new File(['other!'], 'a.pdf'))
  expect(await screen.findByText('1 file not among these, or changed since')).toBeTruthy()
  await user.upload(input, file)
  expect(await screen.findByRole('heading', { name: '1 file uploaded' })).toBeTruthy()
})

test('the report has the values of the service, and opens safely in a spreadsheet', async () => {
  const { queue } = trayOf(async ({ file }) => ({ ...storedFile(file.name, 3), id: 12, file_size: '5' }), '=a.pdf')
  expect(await screen.findByRole('heading', { name: '1 file uploaded, as a new version' })).toBeTruthy()
  expect(reportAsCsv(queue.snapshot().uploads).split('\n')[1]).toBe(
    ",'=a.pdf,5,uploaded,3,12,2026-11-20T09:00:00.000Z,",
  )
})

test('without a connection the tray says that it waits', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  trayOf(never, 'a.pdf')
  expect(await screen.findByRole('heading', { name: 'Waiting for the connection, 0 of 1 file done' })).toBeTruthy()
  online.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByRole('heading', { name: 'Uploading, 0 of 1 file done' })).toBeTruthy()
  online.mockRestore()
})
