import { useCallback } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Named } from '../names-of.ts'
import { useMe } from '../session.ts'
import type { Download } from './download.ts'
import type { Downloader } from './download-now.ts'

type Code = typeof import('./download-now.ts')

/** Downloads a single file, or a zip of several files and folders. */
export function useDownload(workspaceId: number, { hasNoTray = false } = {}) {
  const begin = useCode(workspaceId, hasNoTray)
  return useCallback((wanted: readonly Named[]) => begin(({ download }, by) => download(by, wanted)), [begin])
}

/** Requests a zip and saves it when it is done. */
export function useMakeZip(workspaceId: number) {
  const begin = useCode(workspaceId)
  return useCallback(
    (selected: Pick<Download, 'folder_ids' | 'file_ids'>, name: string, onBegun: () => void) =>
      begin(({ makeZip }, by) => makeZip(by, selected, name, onBegun)),
    [begin],
  )
}

/** Loads the code with the first download. */
function useCode(workspaceId: number, hasNoTray = false) {
  const toasts = useToasts()
  const { id: userId } = useMe()
  return useCallback(
    async (run: (code: Code, by: Downloader) => Promise<void>): Promise<void> => {
      try {
        await run(await import('./download-now.ts'), { userId, workspaceId, toasts, hasNoTray })
      } catch (error) {
        toasts.failed(messageOf(error))
      }
    },
    [userId, workspaceId, toasts, hasNoTray],
  )
}
