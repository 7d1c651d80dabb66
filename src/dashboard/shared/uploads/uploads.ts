import { useMemo } from 'react'
import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { askAbout } from './conflict-question.ts'
import { namesBelow, settle } from './conflicts.ts'
import { untilOnline } from './connection.ts'
import { FolderFinder } from './folder-finder.ts'
import { forgetUploads, keepUploads, recallUploads } from './kept-uploads.ts'
import { sendFile } from './send-file.ts'
import { giveUp } from './send-in-chunks.ts'
import { UploadQueue } from './upload-queue.ts'
import type { ChosenFile } from './upload.ts'

/** New files appear in the lists while more are on their way, but the lists are not read again for each. */
const REFRESH_EVERY = 2000

const finders = new Map<number, FolderFinder>()

/** What the browser writes down is written in the order in which it came about. */
let writing: Promise<void> = Promise.resolve()
let owner: number | undefined

/** One for the page, so that uploads go on wherever the person goes. */
export const uploads = new UploadQueue({
  send: sendFile,
  findFolder: ({ workspaceId, folderId, path }) => finderOf(workspaceId).find(folderId, path),
  untilOnline,
  onStored: refreshSoon,
  onFailure: noticeSignedOut,
  onIdle: () => {
    // Folders may be renamed or deleted meanwhile; the next drop looks again.
    finders.clear()
    if (refreshing !== undefined) refreshNow()
  },
  onKeep: (changed) => {
    const userId = owner
    if (userId !== undefined) writing = writing.then(() => keepUploads(userId, changed))
  },
  onForget: (ended) => void (writing = writing.then(() => forgetUploads(ended))),
  onGivenUp: (uploadId, workspaceId) => void giveUp(uploadId, workspaceId),
})

/** What one person has not finished uploading, the next neither sees nor sends on. */
export async function ownUploads(userId: number): Promise<void> {
  if (owner === userId) return
  if (owner !== undefined) uploads.leave()
  owner = userId
  const kept = await recallUploads(userId)
  if (owner === userId && kept.length > 0) uploads.recall(kept)
}

/** What a page needs to send files: directories among them are created as folders, names that are taken are asked about. */
export function useUploads() {
  return useMemo(
    () => ({
      addFiles: async (workspaceId: number, folderId: number, files: readonly ChosenFile[]) => {
        const settled = await settle(files, namesBelow(workspaceId, folderId), askAbout)
        if (settled.length > 0) uploads.add(workspaceId, folderId, settled)
      },
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
