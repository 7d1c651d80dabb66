import type { Reader } from '../access/enter/view-as.ts'
import type { ReadableFile, Workspace } from '../access/scopes.ts'
import { codedReason } from '../documents/pages/coded-reason.ts'
import { countPages, isShown, listSizes, reasonOf } from '../documents/pages/pages-of.ts'
import type { VersionDocument } from '../store/documents/documents.ts'
import type { FileRow } from '../store/files/files.ts'
import { holderOf } from './content-url.ts'
import type { Services } from '../http/context.ts'

/** The contract's mapped file, with URLs of one of its pages for the caller. */
export function mapped(services: Services, workspace: Workspace, row: FileRow, page_number = 1) {
  const { reason: _, ...file } = row
  const document = { ...row, status: row.viewer_status, content_type: row.file_content_type }
  const isThere = isShown(document) && page_number <= row.pages
  const urls = isThere ? urlsOf(services, workspace, row, page_number) : NO_URLS
  return {
    ...file,
    viewer_image: { status: row.viewer_status, page_number, ...urls, ...codedReason(reasonOf(document)) },
  }
}

const NO_URLS = { expiring_url: '', expiring_thumbnail_url: '' }

interface PageOf {
  id: number
  version: number
  reader?: Reader | undefined
}

function urlsOf({ contentUrls }: Services, workspace: Workspace, { id, version, reader }: PageOf, page: number) {
  const which = { action: 'page', file_id: id, version, page, ...(reader && { reader }) } as const
  const claim = { ...which, ...holderOf(workspace) }
  return {
    expiring_url: contentUrls.make({ ...claim, size: 'page' }),
    expiring_thumbnail_url: contentUrls.make({ ...claim, size: 'thumbnail' }),
  }
}

export function pagesOf(
  services: Services,
  { id, folder: { workspace } }: ReadableFile,
  document: VersionDocument,
  { from, count, sizes }: { from: number; count: number; sizes: boolean },
  reader?: Reader,
) {
  const { version, status } = document
  const total_pages = countPages(document)
  const all = total_pages > 0 ? listSizes(document) : []
  const pages = all.slice(from - 1, from - 1 + count).map((size, index) => {
    const page_number = from + index
    return { page_number, ...size, ...urlsOf(services, workspace, { id, version, reader }, page_number) }
  })
  return {
    file_id: id,
    version,
    status,
    ...codedReason(reasonOf(document)),
    total_pages,
    expires: holderOf(workspace).expires,
    pages,
    widths: sizes ? all.map((size) => size.width) : [],
    heights: sizes ? all.map((size) => size.height) : [],
  }
}
