import { enterWorkspace } from '../access/enter.ts'
import { openForPlainDownload } from '../access/plain-download.ts'
import { recallActor } from '../auth/recall-actor.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import { type FileVersion, findVersion } from '../store/file-versions.ts'
import type { ContentClaim } from './content-url.ts'
import type { Services } from './context.ts'

/**
 * What an expiring URL gives right now. It carries no rights of its own: membership, rights, protections and the file
 * are looked at again, and every refusal is the same 404.
 */
export async function openContent(services: Services, token: string, ip: string): Promise<FileVersion> {
  const claim = services.contentUrls.read(token)
  const now = services.clock()
  if (claim.expires <= now.getTime() / 1000) throw forbidden('This URL has expired.')
  const content = await findContent(services, claim, { ip, now }).catch(hideRefusal)
  if (!content) throw notFound()
  return content
}

async function findContent({ db }: Services, claim: ContentClaim, at: { ip: string; now: Date }) {
  const actor = await recallActor(db, { id: claim.user_id, organization_id: claim.organization_id }, at)
  if (!actor) return undefined
  const workspace = await enterWorkspace(db, actor, claim.workspace_id)
  const file = await openForPlainDownload(db, workspace, claim.file_id)
  return findVersion(db, file, claim.version)
}

function hideRefusal(error: unknown): undefined {
  if (error instanceof ApiError) return undefined
  throw error
}
