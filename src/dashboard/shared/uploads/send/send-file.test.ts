import { afterEach, expect, test, vi } from 'vitest'
import { noAnswer } from '../../../api/failures.ts'
import * as puts from './put.ts'
import { sendFile } from './send-file.ts'
import { storedFile } from '../testing/stored-file.ts'

afterEach(() => vi.restoreAllMocks())

const KEY = '5f2b8c1e-5d47-4a90-b6a2-7c0d9e81f354'

function sending(file: File, again = false) {
  const onBegun = () => {}
  const { signal } = new AbortController()
  return {
    workspaceId: 1,
    folderId: 5,
    file,
    name: file.name,
    again,
    key: KEY,
    uploadId: undefined,
    onBegun,
    onProgress: onBegun,
    signal,
  }
}

const plan = () => new File(['hello'], 'plan.pdf')

test('a file that may have arrived does not become a version of itself', async () => {
  const put = vi.spyOn(puts, 'put').mockResolvedValue(storedFile('plan.pdf'))
  await sendFile(sending(plan()))
  await sendFile(sending(plan(), true))
  expect(put.mock.calls.map(([{ url }]) => url)).toEqual([
    `/api/v1/files/upload?workspace_id=1&folder_id=5&file_name=plan.pdf&idempotency_key=${KEY}`,
    `/api/v1/files/upload?workspace_id=1&folder_id=5&file_name=plan.pdf&unless_same=true&idempotency_key=${KEY}`,
  ])
})

test('a changed or deleted file is not mistaken for an unreachable server', async () => {
  vi.spyOn(puts, 'put').mockRejectedValue(noAnswer())
  const gone = plan()
  gone.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('NotReadableError')) })
  await expect(sendFile(sending(gone))).rejects.toMatchObject({ code: 410, passing: false })
  await expect(sendFile(sending(plan()))).rejects.toMatchObject({ code: 0, passing: true })
})
