import { useCallback } from 'react'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { save } from '../../shared/downloads/save.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'

/** Passes one version of a file, even an earlier one, to the browser's own downloads. */
export function useVersionDownload(workspaceId: number, fileId: number) {
  const toasts = useToasts()
  const download = useCallback(
    async (version: number) => {
      try {
        const query = { workspace_id: workspaceId, version }
        save(await call(api.downloads.getFile, { params: { file_id: fileId }, query }))
      } catch (error) {
        noticeSignedOut(error)
        toasts.failed(messageOf(error))
      }
    },
    [toasts, workspaceId, fileId],
  )
  return useCallback((version: number) => void download(version), [download])
}
