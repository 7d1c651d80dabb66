import { useMemo } from 'react'
import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { FolderFinder } from './folder-finder.ts'
import { sendFile } from './send-file.ts'
import { UploadQueue } from './upload-queue.ts'
import { inOrder, type ChosenFile } from './upload.ts'

/** New files appear in the lists while more are on their way, but the lists are not read again for each. */
const REFRESH_EVERY = 2000

const finders = new Map<number, FolderFinder>()

/** One for the page, so that uploads go on wherever the person goes. */
export const uploads = new UploadQueue({
  send: sendFile,
  findFolder: ({ workspaceId, folderId, path }) => finderOf(workspaceId).find(folderId, path),
  onStored: refreshSoon,
  onFailure: noticeSignedOut,
  onIdle: () => {
    // Folders may be renamed or deleted meanwhile; the next drop looks again.
    finders.clear()
    if (refreshing !== undefined) refreshNow()
  },
})

/** What a page needs to send files: directories among them are created as folders. */
export function useUploads() {
  return useMemo(
    () => ({
      addFiles: (workspaceId: number, folderId: number, files: readonly ChosenFile[]) =>
        uploads.add(workspaceId, folderId, inOrder(files)),
    }),
    [],
  )
}

function finderOf(workspaceId: number): FolderFinder {
  const known = finders.get(workspaceId)
  if (known) return known
  const finder = new FolderFinder(workspaceId)
  finders.set(workspaceId, finder)
  return finder
}

let refreshing: ReturnType<typeof setTimeout> | undefined

function refreshSoon() {
  refreshing ??= setTimeout(refreshNow, REFRESH_EVERY)
}

function refreshNow() {
  clearTimeout(refreshing)
  refreshing = undefined
  void refresh()
}
