import { createHash } from 'node:crypto'
import { openForViewing } from '../access/view-pages.ts'
import type { Workspace } from '../access/scopes.ts'
import { countPages } from '../documents/pages/pages-of.ts'
import { DocumentFault } from '../documents/render.ts'
import { reasonParams } from '../documents/pages/coded-reason.ts'
import { foreseePage, viewPage } from '../documents/pages/view-page.ts'
import { ApiError, notFound } from '../base/errors.ts'
import { findVersionDocument } from '../store/documents/documents.ts'
import { recordView } from '../store/files/file-views.ts'
import type { ContentClaim } from './content-url.ts'
import type { Services } from '../http/context.ts'
import type { Content } from './open-content.ts'

/** A page image that the user of the claim may see now. Fetching its bytes counts as viewing the file. */
export async function openPage(
  services: Services,
  claim: ContentClaim & { action: 'page' },
  workspace: Workspace,
): Promise<Content> {
  const { db } = services
  const { page, size, version } = claim
  const file = await openForViewing(db, workspace, claim.file_id, version)
  const document = await findVersionDocument(db, file, version)
  if (!document || page > countPages(document)) throw notFound()
  const which = { page, size }
  const drawn = claim.reader
    ? foreseePage(services, { file, reader: claim.reader }, document, which)
    : viewPage(services, file, document, which)
  const image = await drawn.catch(toUndrawable)
  return {
    name: `page-${page}.${size === 'page' ? 'jpg' : 'webp'}`,
    type: size === 'page' ? 'image/jpeg' : 'image/webp',
    inline: true,
    size: image.length,
    // The tag depends on the user, so it reveals nothing about another user's bytes.
    etag: `"${createHash('sha256').update(`${claim.user_id} `).update(image).digest('hex').slice(0, 40)}"`,
    async read({ start, end }) {
      if (size === 'page' && (await recordView(db, file, document.title))) services.announce()
      return image.subarray(start, end + 1)
    },
  }
}

export function toUndrawable(error: unknown): never {
  // 422: the content was found damaged.
  if (error instanceof DocumentFault) {
    throw new UndrawablePage('page_undrawable', { ...reasonParams(error.message), problem: error.message })
  }
  if (error instanceof ApiError && error.status === 422) throw new UndrawablePage(error.reason, error.params)
  throw error
}

/** The only refusal with a reason: rights were checked before, and the fault lies in the page. */
export class UndrawablePage extends ApiError {}
