import { useCallback } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { useToasts } from '../../ui/toasts.tsx'
import type { FileEntry } from './entries.ts'

/** Hands files to the browser's own downloads, one after another. */
export function useDownload(workspaceId: number) {
  const toasts = useToasts()
  return useCallback(
    async (files: readonly FileEntry[]) => {
      for (const { id, name } of files) {
        try {
          const params = { file_id: id }
          save(await call(api.downloads.getFile, { params, query: { workspace_id: workspaceId } }))
        } catch (error) {
          noticeSignedOut(error)
          toasts.failed(`“${name}” was not downloaded. ${messageOf(error)}`)
        }
      }
    },
    [workspaceId, toasts],
  )
}

/** The URL is taken on our own origin, whose cookie the proxy wants, whatever host the service names. */
function save({ expiring_url, file_name }: Reply<typeof api.downloads.getFile>) {
  const { pathname, search } = new URL(expiring_url, location.origin)
  const link = document.createElement('a')
  link.href = pathname + search
  link.download = file_name
  document.body.append(link)
  link.click()
  link.remove()
}
