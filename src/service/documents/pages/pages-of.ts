import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import type { VersionDocument } from '../../store/documents/documents.ts'
import { formatOf } from '../formats.ts'
import { imageSizeOf, PAGE_WIDTH, type PixelSize } from '../render/page-size.ts'

/** Infected content is never shown, even if pages were made of it before (decisions, section 6). */
export const isShown = (document: Pick<VersionDocument, 'status' | 'infected'>): boolean =>
  document.status === 'Ready' && document.infected !== true

export const countPages = (document: VersionDocument): number => (isShown(document) ? document.page_widths.length : 0)

/** Returns the image size of each page, in order. */
export function listSizes({
  page_widths,
  page_heights,
  content_type,
  converted_type,
}: Pick<VersionDocument, 'page_widths' | 'page_heights' | 'content_type' | 'converted_type'>): PixelSize[] {
  const isVector = (converted_type ?? content_type) === 'application/pdf'
  return page_widths.map((width, index) => {
    // An image is never enlarged.
    const box = { width, height: page_heights[index] ?? width }
    return imageSizeOf(box, isVector ? PAGE_WIDTH : Math.min(PAGE_WIDTH, width))
  })
}

/** Returns a sentence that tells users why there are no pages; "" if there are some, or may be soon. */
export function reasonOf(document: Pick<VersionDocument, 'status' | 'infected' | 'reason' | 'content_type'>): string {
  if (document.infected) return DOCUMENT_REASONS.infected
  if (document.status === 'Unsupported') return document.reason || reasonWithoutPreview(document.content_type)
  return document.status === 'Failed' ? (document.reason ?? DOCUMENT_REASONS.unreadable) : ''
}

/** Says why files of a type have no pages anywhere. */
export function reasonWithoutPreview(contentType: string): string {
  const kind = formatOf(contentType)?.kind
  if (kind === 'archive') return DOCUMENT_REASONS.no_preview_of_archive
  if (kind === 'drawing') return DOCUMENT_REASONS.no_preview_of_drawing
  return /^(audio|video)\//.test(contentType) ? DOCUMENT_REASONS.no_preview_of_recording : DOCUMENT_REASONS.no_preview
}
