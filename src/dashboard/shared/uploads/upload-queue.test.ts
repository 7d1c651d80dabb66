import { expect, test, vi } from 'vitest'
import { ApiFailure, noAnswer } from '../../api/failures.ts'
import { storedFile } from './testing/stored-file.ts'
import type { Sending } from './send-file.ts'
import { UploadQueue, type UploadQueueParts } from './upload-queue.ts'

const named = (name: string) => new File(['x'], name)
const many = (amount: number) => Array.from({ length: amount }, (_, index) => named(`${index}.pdf`))

function queueWith(parts: Partial<UploadQueueParts>) {
  return new UploadQueue({
    send: async ({ file }) => storedFile(file.name),
    findFolder: async () => 77,
    onStored: () => {},
    onIdle: () => {},
    onFailure: () => {},
    retryDelay: () => 1,
    ...parts,
  })
}

async function finished(queue: UploadQueue, amount: number): Promise<void> {
  const ended = () => queue.snapshot().uploads.filter(({ state }) => state === 'done' || state === 'failed')
  await expect.poll(ended).toHaveLength(amount)
}

/** Sends that end when the test says so. */
function heldBack() {
  const held: (() => void)[] = []
  const send = ({ file }: Sending) =>
    new Promise<ReturnType<typeof storedFile>>((resolve) => held.push(() => resolve(storedFile(file.name))))
  return { held, send }
}

test('ten thousand files arrive, each once', async () => {
  const sent: string[] = []
  const queue = queueWith({
    send: async ({ file }) => {
      sent.push(file.name)
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, many(10_000))
  await finished(queue, 10_000)
  expect(new Set(sent).size).toBe(10_000)
  expect(sent).toHaveLength(10_000)
})

test('three files are sent at a time, the next when one has arrived', async () => {
  const { held, send } = heldBack()
  const queue = queueWith({ send })
  queue.add(1, 5, many(5))
  await expect.poll(() => held).toHaveLength(3)
  held[0]?.()
  await expect.poll(() => held).toHaveLength(4)
})

test('a file from a dropped directory goes into the folder found for it', async () => {
  const send = vi.fn<UploadQueueParts['send']>(async ({ file }) => storedFile(file.name))
  const queue = queueWith({ send, findFolder: async ({ path }) => (path.join('/') === 'Deal/2025' ? 9 : 0) })
  queue.add(1, 5, [Object.assign(named('a.pdf'), { path: '/Deal/2025/a.pdf' }), named('b.pdf')])
  await finished(queue, 2)
  expect(send.mock.calls.map(([{ folderId, file }]) => [file.name, folderId]).toSorted()).toEqual([
    ['a.pdf', 9],
    ['b.pdf', 5],
  ])
})

test('a passing failure is tried again without the person', async () => {
  let attempts = 0
  const queue = queueWith({
    send: async ({ file }) => {
      attempts += 1
      if (attempts < 3) throw noAnswer()
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  await finished(queue, 1)
  expect(queue.snapshot().uploads[0]?.state).toBe('done')
})

test('a refused file keeps the reason and is sent again on request', async () => {
  let allowed = false
  const queue = queueWith({
    send: async ({ file }) => {
      if (!allowed) throw new ApiFailure(403, 'You may not upload into this folder.')
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  await finished(queue, 1)
  expect(queue.snapshot().uploads[0]).toMatchObject({
    state: 'failed',
    failure: 'You may not upload into this folder.',
  })

  allowed = true
  queue.retryFailed()
  await expect.poll(() => queue.snapshot().uploads[0]?.state).toBe('done')
})

test('a cancelled file is stopped and leaves its lane to the next', async () => {
  const stopped: string[] = []
  const queue = queueWith({
    send: ({ file, signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(file.name)
          reject(signal.reason)
        })
      }),
  })
  queue.add(1, 5, many(4))
  const [first] = queue.snapshot().uploads
  queue.cancel(first?.id ?? 0)
  await expect.poll(() => queue.snapshot().uploads.map(({ state }) => state)).toEqual(Array(3).fill('sending'))
  expect(stopped).toEqual(['0.pdf'])
})

test('a paused queue begins nothing and goes on where it was', async () => {
  const { held, send } = heldBack()
  const queue = queueWith({ send })
  queue.pause()
  queue.add(1, 5, many(2))
  expect(held).toHaveLength(0)
  queue.resume()
  await expect.poll(() => held).toHaveLength(2)
})

test('who has to sign in again keeps the files, paused', async () => {
  const onFailure = vi.fn<UploadQueueParts['onFailure']>()
  const queue = queueWith({
    onFailure,
    send: async () => {
      throw new ApiFailure(401, 'Sign in again')
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  await expect.poll(() => queue.snapshot()).toMatchObject({ paused: true, uploads: [{ state: 'waiting' }] })
  expect(onFailure).toHaveBeenCalledOnce()
})

test('files added after all have arrived begin a report of their own', async () => {
  const queue = queueWith({})
  queue.add(1, 5, [named('a.pdf')])
  await finished(queue, 1)
  queue.add(1, 5, [named('b.pdf')])
  expect(queue.snapshot().uploads.map(({ file }) => file.name)).toEqual(['b.pdf'])
})

test('files are sent in reading order, folder by folder', () => {
  const queue = queueWith({})
  queue.pause()
  const paths = ['/Deal/10.pdf', '/Annex/1.pdf', '/Deal/9.pdf']
  queue.add(
    1,
    5,
    paths.map((path) => Object.assign(named(path.split('/').at(-1) ?? ''), { path })),
  )
  expect(queue.snapshot().uploads.map(({ path, file }) => [...path, file.name].join('/'))).toEqual([
    'Annex/1.pdf',
    'Deal/9.pdf',
    'Deal/10.pdf',
  ])
})
