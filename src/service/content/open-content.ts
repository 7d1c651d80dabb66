import { returnTo } from '../access/enter/arrival.ts'
import { enterDownload } from '../access/enter/download.ts'
import { admitScope } from '../access/enter/organization.ts'
import { approachWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { openForMarkedDownload, openForPlainDownload } from '../access/open-for-download.ts'
import type { Download, Threshold, Workspace } from '../access/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import { recallActor } from '../auth/recall-actor.ts'
import type { Range } from '../blobs/blob-store.ts'
import type { Chunks } from '../blobs/chunks.ts'
import { safeName } from '../documents/zip/entry-names.ts'
import { openZip, RECHECK_MS } from '../documents/zip/open-zip.ts'
import { ApiError, notFound, refusal } from '../base/errors.ts'
import { findHindrance } from '../store/downloads/download-entries.ts'
import { findOnlySealed } from '../store/downloads/download-members.ts'
import { failDownload } from '../store/downloads/downloads.ts'
import { findVersion } from '../store/files/file-versions.ts'
import { findStampedFile } from '../store/downloads/stamped-files.ts'
import type { ContentClaim } from './content-url.ts'
import type { Services } from '../http/context.ts'
import { openPage, UndrawablePage } from './open-page.ts'
import { openTermsPage, openTermsPdf } from './open-terms.ts'
import { plainContent } from './plain-content.ts'
import type { LostUrlAudit } from '../http/refusals.ts'

export interface DirectHeaders {
  type: string
  disposition: string
  range: string | undefined
}

export interface Content {
  name: string
  type: string
  size: number
  /** Strong, quotes included: equal for equal bytes, different for different bytes. */
  etag: string
  /** Whether the range may be sent under the ETag, which covers the whole content. If absent, every range may. */
  vouches?(range: Range): Promise<boolean>
  /** Made by the service itself and shown inline; all other content is saved. */
  inline?: true
  read(range: Range): Promise<Buffer | Chunks>
  /** For plain content only: the file that a front server may send instead, and whether the ETag covers its bytes. */
  handOver?(): Promise<{ place: string; vouches: boolean }>
  /** For plain content in a bucket only: a URL by which the client gets the range itself. */
  direct?(headers: DirectHeaders): Promise<string>
}

/**
 * Opens the content of an expiring URL. The URL carries no rights of its own: membership, rights, protections and the
 * file are checked again, and every refusal is the same 404.
 */
export async function openContent(
  services: Services,
  auditLostUrl: LostUrlAudit,
  claim: ContentClaim,
  ip: string,
): Promise<Content> {
  if (claim.expires <= services.clock().getTime() / 1000) throw refusal('url_expired')
  const look = async (): Promise<Content> => {
    const content = await find(services, claim, ip).catch(hideRefusal)
    if (content) return content
    await auditLostUrl(claim, ip)
    throw notFound()
  }
  const content = await look()
  // A zip checks its members itself while it streams, and a page is sent at once.
  if (claim.action === 'zip' || claim.action === 'page') return content
  return { ...content, read: async (range) => watched(await content.read(range), look) }
}

/** Passes the bytes on while access is still allowed; losing a right breaks the transfer off. */
function watched(bytes: Buffer | Chunks, look: () => Promise<unknown>): Buffer | Chunks {
  return Buffer.isBuffer(bytes) ? bytes : watching(bytes, look)
}

async function* watching(chunks: Chunks, look: () => Promise<unknown>): AsyncGenerator<Buffer> {
  let checkedAt = performance.now()
  for await (const chunk of chunks) {
    if (performance.now() - checkedAt > RECHECK_MS) {
      await look()
      checkedAt = performance.now()
    }
    yield chunk
  }
}

async function find(services: Services, claim: ContentClaim, ip: string): Promise<Content | undefined> {
  switch (claim.action) {
    case 'zip':
      return findZip(services, claim, ip)
    case 'sealed':
      return findSealed(services, claim, ip)
    case 'page':
      return openPage(services, claim, await enterAgain(services, claim, ip))
    case 'download':
      return findFile(services, claim, ip)
    case 'stamped':
      return findStamped(services, claim, ip)
    case 'terms_page':
      return openTermsPage(services, claim, await approachAgain(services, claim, ip))
    case 'terms_pdf':
      return openTermsPdf(services, claim, await approachAgain(services, claim, ip))
  }
}

async function enterAgain(services: Services, claim: ContentClaim, ip: string): Promise<Workspace> {
  return enterWorkspace(services.db, await recall(services, claim, ip), claim.workspace_id)
}

/** For what is served while terms await. */
async function approachAgain(services: Services, claim: ContentClaim, ip: string): Promise<Threshold> {
  return approachWorkspace(services.db, await recall(services, claim, ip), claim.workspace_id)
}

async function recall({ db, clock }: Services, claim: ContentClaim, ip: string): Promise<Actor> {
  const { user_id: id, organization_id, personal_key_id, session_id = null, secret_stamp } = claim
  const known = { id, organization_id, personal_key_id, session_id, secret_stamp }
  const arrival = returnTo({
    workspace_id: claim.workspace_id,
    file_id: 'file_id' in claim ? claim.file_id : undefined,
  })
  const recalled = await recallActor(db, known, { ip, now: clock() }, arrival.find)
  if (!recalled) throw notFound()
  const actor = admitScope(recalled, { scope: claim.scope })
  arrival.remember(actor)
  return actor
}

async function findFile(
  services: Services,
  claim: ContentClaim & { action: 'download' },
  ip: string,
): Promise<Content | undefined> {
  const { db } = services
  const file = await openForPlainDownload(db, await enterAgain(services, claim, ip), claim.file_id)
  if (claim.earlier && !file.folder.manages_files) throw notFound()
  const version = await findVersion(db, file, claim.version)
  if (!version) return undefined
  const { title: name, file_content_type: type, file_size: size } = version
  return plainContent(services, { ...version, name, type, size })
}

/** A copy with the user's mark goes to that user only, as long as the user may get the file itself. */
async function findStamped(
  services: Services,
  claim: ContentClaim & { action: 'stamped' },
  ip: string,
): Promise<Content | undefined> {
  const { db, integrity } = services
  const file = await openForMarkedDownload(db, await enterAgain(services, claim, ip), claim.file_id)
  if (claim.earlier && !file.folder.manages_files) throw notFound()
  const copy = await findStampedFile(db, file, claim.stamped_id)
  if (!copy) return undefined
  const original = { ...copy, size: copy.file_size }
  return {
    name: copy.file_name,
    type: copy.file_content_type,
    size: copy.file_size,
    etag: `"${copy.sha256.toString('hex')}"`,
    vouches: (range) => integrity.vouches(original, range),
    read: (range) => integrity.read(original, range),
  }
}

type DownloadClaim = ContentClaim & { download_id: number }

async function enterFinished(services: Services, claim: DownloadClaim, ip: string): Promise<Download> {
  const download = await enterDownload(services.db, await enterAgain(services, claim, ip), claim.download_id)
  if (download.status !== 'done') throw notFound()
  return download
}

/** The sealed file of a download that has nothing else, as long as its zip would be delivered too. */
async function findSealed(services: Services, claim: DownloadClaim, ip: string): Promise<Content | undefined> {
  const { db, integrity } = services
  const download = await enterFinished(services, claim, ip)
  if ((await findHindrance(db, download)) !== undefined) return undefined
  const file = await findOnlySealed(db, claim)
  return (
    file && {
      name: file.name,
      type: 'text/html',
      size: file.size,
      etag: `"${file.sha256.toString('hex')}"`,
      vouches: (range) => integrity.vouches(file, range),
      read: (range) => integrity.read(file, range),
    }
  )
}

async function findZip(services: Services, claim: DownloadClaim, ip: string): Promise<Content> {
  const { db, integrity } = services
  const enter = () => enterFinished(services, claim, ip)
  const download = await enter()
  const { size, etag, workspace } = download
  return {
    name: `${safeName(workspace.name)}.zip`,
    type: 'application/zip',
    size,
    etag: `"${claim.download_id}-${etag}"`,
    read: (range) => openZip({ db, integrity, enter, fail: () => failDownload(db, claim) }, download, range),
  }
}

/** Lets faults of the service pass, such as a store that is away: they come after the rights, or tell nothing of them. */
function hideRefusal(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500 && !(error instanceof UndrawablePage)) return undefined
  throw error
}
