import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { Providers } from '../../providers.tsx'
import { alice, fakeApi } from '../../testing/fake-api.ts'
import type { Named } from '../names-of.ts'
import { useDownload } from './use-download.ts'

const FILE = { kind: 'file', id: 9, name: 'Plan.pdf' } as Named

it('asks for a zip if a file is delivered only as a sealed copy', async () => {
  const asked: unknown[] = []
  const download = {
    id: 31,
    user_id: 1,
    workspace_id: 5,
    file_ids: [9],
    folder_ids: [],
    size: '10',
    left_out: 0,
    status: 'done' as const,
    created_at: '',
    updated_at: '',
    expires_at: '',
  }
  const fake = fakeApi()
    .fail(api.downloads.getFile, 403, 'This file is delivered sealed only: ask for it with POST /downloads.')
    .on(api.downloads.listStatus, { downloads: [download] })
    .on(api.downloads.get, { expiring_url: 'https://elsewhere.example/content/zip', file_name: 'Room.zip' })
    .on(api.downloads.create, ({ body }) => {
      asked.push(body)
      return download
    })
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, { user: alice, demo_people: [], oidc: null })
  const { result } = renderHook(() => useDownload(5), { wrapper: Providers })
  await result.current([FILE])
  expect(asked).toEqual([{ workspace_id: 5, download: { folder_ids: [], file_ids: [9] } }])
  await waitFor(() => expect(fake.calls.at(-1)).toBe('GET /api/v1/downloads/31?workspace_id=5&single=true'))
})
