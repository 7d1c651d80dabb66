import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../api/failures.ts'
import { renderElement } from '../../testing/render-element.tsx'
import { storedFile } from './testing/stored-file.ts'
import { UploadQueue, type UploadQueueParts } from './upload-queue.ts'
import { UploadTray } from './upload-tray.tsx'

function trayOf(send: UploadQueueParts['send'], ...names: string[]) {
  const idle = { onStored: () => {}, onIdle: () => {}, onFailure: () => {}, findFolder: async () => 0 }
  const queue = new UploadQueue({ send, ...idle })
  const { user } = renderElement(<UploadTray queue={queue} />)
  queue.add(
    1,
    5,
    names.map((name) => new File(['hello'], name)),
  )
  return { user, queue }
}

const never = () => new Promise<never>(() => {})

test('the tray reports how it ended, new versions included', async () => {
  trayOf(async ({ file }) => storedFile(file.name, file.name === 'b.pdf' ? 4 : 1), 'a.pdf', 'b.pdf')
  expect(await screen.findByRole('heading', { name: '2 files uploaded, 1 as new versions' })).toBeTruthy()
  expect(screen.getByText(/New version 4/)).toBeTruthy()
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

test('closing the tray asks while files are on their way', async () => {
  const { user } = trayOf(never, 'a.pdf')
  await user.click(await screen.findByRole('button', { name: 'Close uploads' }))
  await user.click(await screen.findByRole('button', { name: 'Stop uploading' }))
  expect(screen.queryByRole('heading', { name: /uploading/i })).toBeNull()
})

test('a single file can be taken out of the queue', async () => {
  const { user, queue } = trayOf(never, 'a.pdf', 'b.pdf')
  await user.click(await screen.findByRole('button', { name: 'Cancel a.pdf' }))
  expect(queue.snapshot().uploads.map(({ file }) => file.name)).toEqual(['b.pdf'])
})
