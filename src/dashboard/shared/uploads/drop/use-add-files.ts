import { useCallback } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { useMe } from '../../session.ts'
import type { Dropped } from './read-drop.ts'
import { startUploads } from './start-uploads.ts'
import type { ChosenFile } from '../upload.ts'

/** Returns a function that uploads files to a folder unless something is against it; the tray shows their progress. */
export function useAddFiles(workspaceId: number) {
  const toasts = useToasts()
  const { id: userId } = useMe()
  return useCallback(
    async (
      folderId: number,
      added: readonly ChosenFile[] | Promise<Dropped>,
      judge?: () => Promise<string | undefined>,
    ) => {
      try {
        const refusal = await judge?.()
        if (refusal) return toasts.failed(refusal)
        const chosen = Promise.resolve(added).then((all) => ('files' in all ? all : { files: all, unreadable: [] }))
        await startUploads({ userId, workspaceId, folderId, files: chosen.then(({ files }) => files) })
        const { unreadable } = await chosen
        if (unreadable.length === 0) return
        const { unreadableWords } = await import('../send/late-uploads.ts')
        toasts.failed(unreadableWords(unreadable))
      } catch (error) {
        toasts.failed(messageOf(error))
      }
    },
    [toasts, userId, workspaceId],
  )
}
