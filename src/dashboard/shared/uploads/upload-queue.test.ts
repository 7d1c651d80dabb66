import { expect, test, vi } from 'vitest'
import { ApiFailure, noAnswer } from '../../api/failures.ts'
import { storedFile } from './testing/stored-file.ts'
import type { Sending } from './send/sending.ts'
import { matching } from './tray/missing-files.ts'
import type { Upload } from './upload.ts'
import { UploadQueue, type UploadQueueParts } from './upload-queue.ts'

const named = (name: string, path = name) => ({ file: Object.assign(new File(['x'], name), { path }), name })
/** Large enough to be sent in chunks, and in parallel to other files of its folder. */
const large = (name: string) => ({
  file: Object.defineProperty(new File(['x'], name), 'size', { value: 9_000_000 }),
  name,
})
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

/** A `send` whose calls end when the test releases them. */
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

test('three large files are sent at a time, the next when one has arrived', async () => {
  const { held, send } = heldBack()
  const queue = queueWith({ send })
  queue.add(1, 5, ['a', 'b', 'c', 'd', 'e'].map(large))
  await expect.poll(() => held).toHaveLength(3)
  held[0]?.()
  await expect.poll(() => held).toHaveLength(4)
})

test('a file from a dropped directory goes into the folder found for it', async () => {
  const send = vi.fn<UploadQueueParts['send']>(async ({ file }) => storedFile(file.name))
  const queue = queueWith({ send, findFolder: async ({ path }) => (path.join('/') === 'Deal/2025' ? 9 : 0) })
  queue.add(1, 5, [named('a.pdf', '/Deal/2025/a.pdf'), named('b.pdf')])
  await finished(queue, 2)
  expect(send.mock.calls.map(([{ folderId, file }]) => [file.name, folderId]).toSorted()).toEqual([
    ['a.pdf', 9],
    ['b.pdf', 5],
  ])
})

test('E2: a path in a dropped directory is split into single names, which the service accepts or refuses', async () => {
  const asked: string[][] = []
  const send = vi.fn<UploadQueueParts['send']>(async ({ file }) => storedFile(file.name))
  const findFolder: UploadQueueParts['findFolder'] = async ({ path }) => {
    asked.push([...path])
    if (path.includes('..')) throw new ApiFailure(422, 'The name is not allowed.')
    return 9
  }
  const queue = queueWith({ send, findFolder })
  queue.add(1, 5, [named('a.pdf', '//Deal/./..\\..\\x/C:/a.pdf'), named('b.pdf', '/Deal/../../b.pdf')])
  await finished(queue, 2)
  expect(asked).toEqual([
    ['Deal', '..\\..\\x', 'C:'],
    ['Deal', '..', '..'],
  ])
  expect(send.mock.calls.map(([{ file }]) => file.name)).toEqual(['a.pdf'])
})

test('a passing failure is retried without the user', async () => {
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

test('a missing folder is reported as gone', async () => {
  const queue = queueWith({
    send: async () => {
      throw new ApiFailure(404, 'There is nothing here that you can see.')
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  await finished(queue, 1)
  expect(queue.snapshot().uploads[0]?.failure).toBe('The folder is gone, or no longer open to you.')
})

test('a cancelled file is stopped and leaves its lane to the next', async () => {
  const started: string[] = []
  const stopped: string[] = []
  const queue = queueWith({
    send: ({ file, signal }) =>
      new Promise((_resolve, reject) => {
        started.push(file.name)
        signal.addEventListener('abort', () => {
          stopped.push(file.name)
          reject(signal.reason)
        })
      }),
  })
  queue.add(1, 5, ['0.pdf', '1.pdf', '2.pdf', '3.pdf'].map(large))
  await expect.poll(() => started).toHaveLength(3)
  const [first] = queue.snapshot().uploads
  queue.cancel([first?.id ?? 0])
  await expect.poll(() => queue.snapshot().uploads.map(({ state }) => state)).toEqual(Array(3).fill('sending'))
  expect(stopped).toEqual(['0.pdf'])
})

test('a paused queue starts nothing, and continues when it is resumed', async () => {
  const { held, send } = heldBack()
  const queue = queueWith({ send })
  queue.pause()
  queue.add(1, 5, ['a', 'b'].map(large))
  expect(held).toHaveLength(0)
  queue.resume()
  await expect.poll(() => held).toHaveLength(2)
})

test('when the session ends, the queue keeps the files and pauses until the user has signed in again', async () => {
  const onFailure = vi.fn<UploadQueueParts['onFailure']>()
  let signedIn = false
  const queue = queueWith({
    onFailure,
    send: async ({ file }) => {
      if (!signedIn) throw new ApiFailure(401, 'Sign in again')
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, many(2))
  await expect.poll(() => queue.snapshot()).toMatchObject({ paused: true, uploads: [{ state: 'waiting' }, {}] })
  expect(onFailure).toHaveBeenCalledOnce()

  signedIn = true
  queue.signedIn()
  await finished(queue, 2)
  expect(queue.snapshot()).toMatchObject({ paused: false, uploads: [{ state: 'done' }, { state: 'done' }] })
})

test('a queue that the user has paused stays paused after a sign-in', () => {
  const queue = queueWith({})
  queue.pause()
  queue.signedIn()
  expect(queue.snapshot().paused).toBe(true)
})

test('if the service has no room left, all files wait with the reason, and none is lost', async () => {
  let full = true
  let tries = 0
  const queue = queueWith({
    send: async ({ file }) => {
      tries += 1
      if (full) throw new ApiFailure(507, 'There is no room left.')
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, many(3))
  const first = { state: 'waiting', failure: 'There is no room left.' }
  await expect.poll(() => queue.snapshot()).toMatchObject({ paused: true, uploads: [first, {}, {}] })
  expect(tries).toBe(1)

  full = false
  queue.resume()
  await finished(queue, 3)
  expect(queue.snapshot().uploads[0]).toMatchObject({ state: 'done', failure: undefined })
})

test('a retry shows the reason of the failure, and tells the service that the file is sent again', async () => {
  const again: boolean[] = []
  let answer = () => {}
  const queue = queueWith({
    retryDelay: () => 20,
    send: async (sending) => {
      again.push(sending.again)
      if (again.length === 1) throw noAnswer()
      await new Promise<void>((resolve) => (answer = resolve))
      return storedFile(sending.file.name)
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  const failures: unknown[] = []
  queue.subscribe(() => failures.push(queue.snapshot().uploads[0]?.failure))
  await expect.poll(() => again).toEqual([false, true])
  await expect.poll(() => failures.at(-1)).toMatch(/server cannot be reached/)
  answer()
  await finished(queue, 1)
  expect(queue.snapshot().uploads[0]?.failure).toBeUndefined()
})

test('the queue reports that it is preparing until the work is done', async () => {
  const queue = queueWith({})
  let settle = () => {}
  const prepared = queue.prepare(() => new Promise<void>((resolve) => (settle = resolve)))
  expect(queue.snapshot().preparing).toBe(true)
  settle()
  await prepared
  expect(queue.snapshot().preparing).toBe(false)
})

test('a running upload is not recalled a second time', () => {
  const queue = queueWith({ send: heldBack().send })
  queue.add(1, 5, [named('a.pdf')])
  const { uploads } = queue.snapshot()
  queue.recall(uploads)
  expect(queue.snapshot().uploads).toMatchObject([{ name: 'a.pdf', state: 'sending' }])
})

test('files added after all others have arrived begin a new report', async () => {
  const queue = queueWith({})
  queue.add(1, 5, [named('a.pdf')])
  await finished(queue, 1)
  queue.add(1, 5, [named('b.pdf')])
  expect(queue.snapshot().uploads.map(({ name }) => name)).toEqual(['b.pdf'])
})

test('small files of one folder are sent in order, in parallel to other folders', async () => {
  const held = new Map<string, () => void>()
  const send = ({ file }: Sending) =>
    new Promise<ReturnType<typeof storedFile>>((resolve) => held.set(file.name, () => resolve(storedFile(file.name))))
  const queue = queueWith({ send })
  queue.add(1, 5, [named('1.pdf'), named('2.pdf'), named('a.pdf', '/Deal/a.pdf'), named('b.pdf', '/Deal/b.pdf')])
  await expect.poll(() => [...held.keys()].toSorted()).toEqual(['1.pdf', 'a.pdf'])
  held.get('1.pdf')?.()
  await expect.poll(() => [...held.keys()].toSorted()).toEqual(['1.pdf', '2.pdf', 'a.pdf'])
})

/** A `send` that begins upload 70, reports 5 bytes and then waits until it is stopped. */
function standing() {
  const sends: (number | undefined)[] = []
  const send = ({ uploadId, onBegun, onProgress, signal }: Sending) =>
    new Promise<never>((_resolve, reject) => {
      sends.push(uploadId)
      if (uploadId === undefined) onBegun(70)
      onProgress(5)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { sends, send }
}

test('a large file that is paused stops, and continues with the same upload', async () => {
  const { sends, send } = standing()
  const queue = queueWith({ send })
  queue.add(1, 5, [large('film.mp4')])
  const [{ id } = { id: 0 }] = queue.snapshot().uploads
  await expect.poll(() => sends).toEqual([undefined])
  queue.pauseOne(id)
  expect(queue.snapshot().uploads[0]).toMatchObject({ state: 'paused', sent: 5, uploadId: 70 })
  queue.retry(id)
  await expect.poll(() => sends).toEqual([undefined, 70])

  queue.pause()
  expect(queue.snapshot().uploads[0]?.state).toBe('waiting')
  queue.resume()
  await expect.poll(() => sends).toEqual([undefined, 70, 70])
})

test('an upload that is given up is also given up at the service, once the service knows it', async () => {
  const onGivenUp = vi.fn<NonNullable<UploadQueueParts['onGivenUp']>>()
  const { sends, send } = standing()
  const queue = queueWith({ send, onGivenUp })
  queue.add(3, 5, [large('film.mp4')])
  await expect.poll(() => sends).toHaveLength(1)
  queue.clear()
  expect(onGivenUp.mock.calls).toEqual([[70, 3]])
})

test('without a connection the queue waits for one and uses up no attempts', async () => {
  let connect = () => {}
  const connected = new Promise<void>((resolve) => (connect = resolve))
  let tries = 0
  const queue = queueWith({
    untilOnline: () => connected,
    send: async ({ file }) => {
      tries += 1
      return storedFile(file.name)
    },
  })
  queue.add(1, 5, [named('a.pdf')])
  await expect.poll(() => queue.snapshot().uploads[0]?.state).toBe('sending')
  expect(tries).toBe(0)
  connect()
  await finished(queue, 1)
  expect(tries).toBe(1)
})

test('an upload that a reload interrupted is missing until its file is chosen again', async () => {
  const kept: Upload[] = []
  const forgotten: number[] = []
  const before = queueWith({ send: standing().send, onKeep: (uploads) => kept.push(...uploads) })
  before.add(1, 5, [large('film.mp4')])
  await expect.poll(() => kept.at(-1)?.uploadId).toBe(70)

  const { sends, send } = standing()
  const after = queueWith({ send, onForget: (uploads) => forgotten.push(...uploads.map(({ id }) => id)) })
  after.recall(kept.slice(-1))
  const missing = after.snapshot().uploads
  expect(missing).toMatchObject([{ state: 'missing', name: 'film.mp4', file: undefined }])
  expect(after.supply(matching(missing, [new File(['other'], 'film.mp4')]))).toBe(0)
  const { file } = large('film.mp4')
  Object.defineProperty(file, 'lastModified', { value: missing[0]?.lastModified })
  expect(after.supply(matching(missing, [file]))).toBe(1)
  await expect.poll(() => sends).toEqual([70])
  after.cancel([missing[0]?.id ?? 0])
  expect(forgotten).toEqual([missing[0]?.id])
})
