import { useCallback } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { namesOf, type Entry } from './entries.ts'
import { makeZip } from './zip-download.ts'

/** Hands a file, or a zip of several lines, to the browser's own downloads. */
export function useDownload(workspaceId: number) {
  const toasts = useToasts()
  return useCallback(
    async (entries: readonly Entry[]) => {
      const [only] = entries
      try {
        if (only?.kind === 'file' && entries.length === 1) {
          return save(
            await call(api.downloads.getFile, { params: { file_id: only.id }, query: { workspace_id: workspaceId } }),
          )
        }
        toasts.done(`Making a zip of ${namesOf(entries)}. The download starts when it is ready.`)
        save(await makeZip(workspaceId, entries))
      } catch (error) {
        noticeSignedOut(error)
        toasts.failed(`Could not download ${namesOf(entries)}. ${messageOf(error)}`)
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
