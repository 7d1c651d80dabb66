import type { Api } from '../../contract/index.ts'
import { enterDownload, openSelection } from '../access/enter/download.ts'
import { enterWorkspace } from '../access/enter/workspace.ts'
import { openForDownload } from '../access/open-for-download.ts'
import type { Download, DownloadableFile } from '../access/scopes.ts'
import { refuseEarlier } from '../access/view-pages.ts'
import type { Db } from '../db/pool.ts'
import { safeName } from '../documents/zip/entry-names.ts'
import { makeStampedCopy } from '../documents/watermark/carry/stamped-copy.ts'
import { notFound, refusal, unprocessable } from '../base/errors.ts'
import { type ContentClaim, holderOf } from '../content/content-url.ts'
import type { Handlers } from '../http/context.ts'
import { enqueue } from '../jobs/queue.ts'
import { record } from '../store/audit/activities.ts'
import { created, recordForAudit } from '../store/audit/audit.ts'
import { findVersionDocument } from '../store/documents/documents.ts'
import { findHindrance, type Hindrance } from '../store/downloads/download-entries.ts'
import { findOnlySealed } from '../store/downloads/download-members.ts'
import { deleteDownload, insertDownload, listDownloads } from '../store/downloads/downloads.ts'
import { isReleased } from '../store/files/file-versions.ts'
import { getFile } from '../store/files/files.ts'

export const downloads: Handlers<Api['downloads']> = {
  create: async ({ db, actor }, { body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const selection = await openSelection(db, workspace, body.download)

    const download = await insertDownload(db, selection)
    await enqueue(
      db,
      'zip',
      { workspace_id: workspace.id, download_id: download.id, user_id: actor.id },
      actor.request_id,
    )

    return download
  },

  listStatus: async ({ db, actor }, { params }) => ({
    downloads: await listDownloads(db, await enterWorkspace(db, actor, params.workspace_id)),
  }),

  get: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const download = await enterDownload(db, workspace, params.id)
    refuseUnfinished(download)
    refuseHindered(await findHindrance(db, download))

    const key = { workspace_id: workspace.id, download_id: download.id }
    const file = query.single ? await findOnlySealed(db, key) : undefined
    const claim: ContentClaim = {
      action: file ? 'sealed' : 'zip',
      download_id: download.id,
      ...holderOf(workspace),
    }
    const file_name = file?.name ?? `${safeName(workspace.name)}.zip`
    return { expiring_url: services.contentUrls.make(claim), file_name }
  },

  remove: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    await deleteDownload(db, await enterDownload(db, workspace, params.id))
    const named = { id: String(params.id) }
    await recordForAudit(db, workspace, { act: 'download_deleted', params: named, subject_id: params.id })
    return { id: params.id, status: 'deleted' }
  },

  getFile: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const opened = await openForDownload(db, workspace, params.file_id)
    const { file } = opened
    const { title, version: current } = await getFile(db, file)
    const version = query.version ?? current
    const isEarlier = version !== current
    if (isEarlier) await refuseUnfitVersion(db, file, version)
    const copy = opened.as === 'marked' ? await makeStampedCopy(services, opened.file, version) : undefined

    const changes = isEarlier ? created({ version }) : undefined
    await record(db, workspace, { act: 'file_downloaded', params: { title }, subject_id: file.id, changes })
    services.announce()

    const holder = { ...holderOf(workspace), ...(isEarlier && { earlier: true as const }) }
    const claim: ContentClaim = copy
      ? { action: 'stamped', file_id: file.id, stamped_id: copy.id, ...holder }
      : { action: 'download', file_id: file.id, version, ...holder }
    return { expiring_url: services.contentUrls.make(claim), file_name: copy?.file_name ?? title }
  },
}

/** Refuses an earlier version that does not exist, is hidden from the caller, is infected or was not scanned. */
async function refuseUnfitVersion(db: Db, file: DownloadableFile, version: number): Promise<void> {
  await refuseEarlier(db, file, version)
  const document = await findVersionDocument(db, file, version)
  if (!document) throw notFound()
  if (document.infected) throw unprocessable('version', 'clean_version')
  if (!(await isReleased(db, file, version))) throw refusal('not_scanned')
}

/** Refuses instead of returning a URL that would not work. */
function refuseHindered(hindrance: Hindrance | undefined): void {
  if (hindrance === 'right') throw refusal('download_right_lost')
  if (hindrance === 'change') throw refusal('download_changed')
}

function refuseUnfinished({ status }: Download): void {
  if (status === 'failed') throw refusal('download_failed')
  if (status === 'expired') throw refusal('download_expired')
  if (status !== 'done') throw refusal('download_not_done', { status })
}
