import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import type { useToasts } from '../../ui/toasts/toasts.tsx'
import { namesOf, type Named } from '../names-of.ts'
import type { Download } from './download.ts'
import { save } from './save.ts'
import { isPreparing, withSingleFile } from './single-files.ts'
import { nameDownload, openTray } from './tray-memory.ts'
import { awaitZip, beginZip } from './zip-download.ts'

/** Milliseconds after which the tray opens for a file that is still being prepared. */
const PATIENCE = 600

export interface Downloader {
  userId: number
  workspaceId: number
  toasts: ReturnType<typeof useToasts>
}

export async function download(by: Downloader, wanted: readonly Named[]): Promise<void> {
  const { userId, workspaceId, toasts } = by
  const [only] = wanted
  if (only?.kind !== 'file' || wanted.length > 1) return makeZip(by, selectedOf(wanted), namesOf(wanted))
  if (isPreparing(only.id)) return openTray(userId, true)
  const patience = setTimeout(() => openTray(userId, true), PATIENCE)
  try {
    const file = { userId, workspaceId, fileId: only.id, name: only.name, fileKind: only.fileKind }
    const query = { workspace_id: workspaceId }
    const get = () => call(api.downloads.getFile, { params: { file_id: only.id }, query })
    return save(await withSingleFile(file, get))
  } catch (error) {
    // A sealed copy has to be made first.
    if (error instanceof ApiFailure && error.code === 403) return makeZip(by, selectedOf(wanted), namesOf(wanted))
    noticeSignedOut(error)
    return toasts.failed(failedWords(namesOf(wanted), error))
  } finally {
    clearTimeout(patience)
  }
}

/** Requests a zip and saves it when it is done, even if the user has gone to another page by then. */
export async function makeZip(
  { userId, workspaceId, toasts }: Downloader,
  selected: Pick<Download, 'folder_ids' | 'file_ids'>,
  name: string,
): Promise<void> {
  try {
    const begun = await beginZip(workspaceId, selected)
    nameDownload(userId, begun.id, name)
    const ready = await awaitZip(workspaceId, begun)
    if (ready) save(ready)
  } catch (error) {
    noticeSignedOut(error)
    toasts.failed(failedWords(name, error))
  }
}

function failedWords(name: string, error: unknown): string {
  const reason = messageOf(error)
  return t`Could not download ${name}. ${reason}`
}

function selectedOf(wanted: readonly Named[]) {
  const idsOf = (kind: Named['kind']) => wanted.filter((each) => each.kind === kind).map(({ id }) => id)
  return { folder_ids: idsOf('folder'), file_ids: idsOf('file') }
}
