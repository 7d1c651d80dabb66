import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { askAbout, withdrawQuestions } from './conflict-question.ts'
import { filesBelow, settle } from './conflicts.ts'
import { untilOnline } from './connection.ts'
import { FolderFinder } from './folder-finder.ts'
import { forgetUploads, keepUploads, recallUploads } from './kept-uploads.ts'
import { inReadingOrder } from './reading-order.ts'
import { sendFile } from './send-file.ts'
import { giveUp } from './send-in-chunks.ts'
import type { Drop } from './start-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

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
export function ownUploads(userId: number): void {
  if (owner === userId) return uploads.signedIn()
  if (owner !== undefined) {
    withdrawQuestions()
    uploads.leave()
  }
  owner = userId
  void recallUploads(userId, (left) => owner === userId && uploads.recall(left))
}

/** Asks what there is to ask and sends the rest. */
export async function addFiles({ userId, workspaceId, folderId, files }: Drop): Promise<void> {
  ownUploads(userId)
  const settled = await uploads.prepare(async () => {
    const ordered = await inReadingOrder(await files)
    return settle(ordered, filesBelow(workspaceId, folderId), askAbout)
  })
  if (settled.length > 0 && owner === userId) uploads.add(workspaceId, folderId, settled)
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
