import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { ApiFailure } from '../../../api/failures.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import * as puts from './put.ts'
import { sendInChunks } from './send-in-chunks.ts'
import { storedFile } from '../testing/stored-file.ts'

/** Serves an upload that takes chunks of three bytes. */
function serviceWith(state: { offset: number; id?: number }) {
  const progress = () => ({
    id: state.id ?? 7,
    workspace_id: 1,
    folder_id: 5,
    file_name: 'a.bin',
    size: '7',
    offset: String(state.offset),
    chunk_size: 3,
    file_id: null,
    created_at: '2026-11-20T09:00:00.000Z',
    expires_at: '2026-11-21T09:00:00.000Z',
  })
  const server = fakeApi()
    .on(api.uploads.create, progress)
    .on(api.uploads.get, progress)
    .on(api.uploads.finish, storedFile('a.bin'))
  return { server, progress }
}

afterEach(() => vi.restoreAllMocks())

function sending(uploadId?: number) {
  const onBegun = vi.fn<(id: number) => void>()
  const signal = new AbortController().signal
  const file = new File(['1234567'], 'a.bin')
  const facts = {
    workspaceId: 1,
    folderId: 5,
    file,
    name: 'a.bin',
    again: false,
    key: undefined,
    uploadId,
    onProgress: () => {},
    signal,
  }
  return { onBegun, sent: () => sendInChunks({ ...facts, onBegun }) }
}

/** Records the chunks as `offset:bytes`; `fail` may refuse a chunk. */
function chunks(state: { offset: number }, progress: () => unknown, fail: (offset: string) => void = () => {}) {
  const came: string[] = []
  vi.spyOn(puts, 'put').mockImplementation(async ({ url, body }) => {
    const offset = new URL(url, 'http://localhost').searchParams.get('offset') ?? ''
    came.push(`${offset}:${await body.text()}`)
    fail(offset)
    state.offset += body.size
    return progress() as never
  })
  return came
}

test('a file is sent in chunks of the size that the service wants, and then finished', async () => {
  const state = { offset: 0 }
  const { server, progress } = serviceWith(state)
  const came = chunks(state, progress)
  const { onBegun, sent } = sending()
  expect(await sent()).toMatchObject({ file_name: 'a.bin' })
  expect(came).toEqual(['0:123', '3:456', '6:7'])
  expect(onBegun.mock.calls).toEqual([[7]])
  expect(server.calls.at(-1)).toBe('POST /api/v1/uploads/7/finish')
})

test('a begun upload continues at the offset of the service', async () => {
  const state = { offset: 3 }
  const { progress } = serviceWith(state)
  const came = chunks(state, progress)
  const { onBegun, sent } = sending(7)
  await sent()
  expect(came).toEqual(['3:456', '6:7'])
  expect(onBegun).not.toHaveBeenCalled()
})

test('an upload that the service no longer has begins anew', async () => {
  const state = { offset: 0, id: 8 }
  const { server, progress } = serviceWith(state)
  server.fail(api.uploads.get, 404, 'There is nothing here that you can see.')
  const came = chunks(state, progress)
  const { onBegun, sent } = sending(7)
  await sent()
  expect(came).toHaveLength(3)
  expect(onBegun.mock.calls).toEqual([[8]])
})

test('a chunk that arrived although its reply was lost is not sent again', async () => {
  const state = { offset: 0 }
  const { progress } = serviceWith(state)
  const came = chunks(state, progress, (offset) => {
    if (offset !== '0') return
    state.offset = 3
    throw new ApiFailure(409, 'The next chunk begins at 3.')
  })
  await sending().sent()
  expect(came).toEqual(['0:123', '3:456', '6:7'])
})

test('a refusal without a new offset is reported', async () => {
  const state = { offset: 0 }
  const { progress } = serviceWith(state)
  chunks(state, progress, () => {
    throw new ApiFailure(409, 'This upload is finished.')
  })
  await expect(sending().sent()).rejects.toThrow('This upload is finished.')
})
