import { noticeSignedOut } from '../../api/query-client.ts'
import { refresh } from '../../api/query.ts'
import { askAbout, withdrawQuestions } from './conflicts/conflict-question.ts'
import { filesBelow, settle } from './conflicts/conflicts.ts'
import { untilOnline } from './send/connection.ts'
import { FolderFinder } from './drop/folder-finder.ts'
import { forgetUploads, keepUploads, recallUploads } from './send/kept-uploads.ts'
import { inReadingOrder } from './drop/reading-order.ts'
import { sendFile } from './send/send-file.ts'
import { giveUp } from './send/send-in-chunks.ts'
import type { Drop } from './drop/start-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

/** Lists are read again at most once in this time during uploads, in milliseconds, and not after each file. */
const REFRESH_EVERY = 2000

const finders = new Map<number, FolderFinder>()

/** Chains the writes to the browser's database, so that they keep their order. */
let writing: Promise<void> = Promise.resolve()
let owner: number | undefined

/** The only queue of the page, so that uploads continue while the user changes pages. */
export const uploads = new UploadQueue({
  send: sendFile,
  findFolder: ({ workspaceId, folderId, path }) => finderOf(workspaceId).find(folderId, path),
  untilOnline,
  onStored: refreshSoon,
  onFailure: noticeSignedOut,
  onIdle: () => {
    // Folders may be renamed or deleted meanwhile, so the next drop reads them again.
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

/** Makes a user the owner of the queue. The user neither sees nor continues the uploads of the previous owner. */
export function ownUploads(userId: number): void {
  if (owner === userId) return uploads.signedIn()
  if (owner !== undefined) {
    withdrawQuestions()
    uploads.leave()
  }
  owner = userId
  void recallUploads(userId, (left) => owner === userId && uploads.recall(left))
}

/** Asks about taken names and adds the resulting files to the queue. */
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
