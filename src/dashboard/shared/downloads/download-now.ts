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

/** Milliseconds after which a file that is still being prepared is told of. */
const PATIENCE = 600

export interface Downloader {
  userId: number
  workspaceId: number
  toasts: ReturnType<typeof useToasts>
  /** The page shows no tray, so a notice tells of downloads that take a while. */
  hasNoTray: boolean
}

export async function download(by: Downloader, wanted: readonly Named[]): Promise<void> {
  const { userId, workspaceId, toasts } = by
  const [only] = wanted
  if (only?.kind !== 'file' || wanted.length > 1) return makeZip(by, selectedOf(wanted), namesOf(wanted))
  if (isPreparing(only.id)) return showComing(by, namesOf(wanted))
  const patience = setTimeout(() => showComing(by, namesOf(wanted)), PATIENCE)
  try {
    const file = { userId, workspaceId, fileId: only.id, name: only.name, fileKind: only.fileKind }
    const query = { workspace_id: workspaceId }
    const get = () => call(api.downloads.getFile, { params: { file_id: only.id }, query })
    return save(await withSingleFile(file, get))
  } catch (error) {
    // A sealed copy has to be made first.
    if (error instanceof ApiFailure && error.code === 403) {
      clearTimeout(patience)
      return makeZip(by, selectedOf(wanted), namesOf(wanted))
    }
    noticeSignedOut(error)
    return toasts.failed(failedWords(namesOf(wanted), error))
  } finally {
    clearTimeout(patience)
  }
}

/** Requests a zip and saves it when it is done, even if the user has gone to another page by then. */
export async function makeZip(
  by: Downloader,
  selected: Pick<Download, 'folder_ids' | 'file_ids'>,
  name: string,
  onBegun?: () => void,
): Promise<void> {
  const { userId, workspaceId, toasts } = by
  try {
    const begun = await beginZip(workspaceId, selected)
    nameDownload(userId, begun.id, name)
    showComing(by, name)
    onBegun?.()
    const ready = await awaitZip(workspaceId, begun)
    if (ready) save(ready)
  } catch (error) {
    noticeSignedOut(error)
    toasts.failed(failedWords(name, error))
  }
}

function showComing({ userId, workspaceId, toasts, hasNoTray }: Downloader, name: string) {
  openTray(userId, workspaceId)
  if (hasNoTray) toasts.done(t`${name} is being made ready for you, and is saved as soon as it is.`)
}

function failedWords(name: string, error: unknown): string {
  const reason = messageOf(error)
  return t`Could not download ${name}. ${reason}`
}

function selectedOf(wanted: readonly Named[]) {
  const idsOf = (kind: Named['kind']) => wanted.filter((each) => each.kind === kind).map(({ id }) => id)
  return { folder_ids: idsOf('folder'), file_ids: idsOf('file') }
}
