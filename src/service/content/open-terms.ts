import { createHash } from 'node:crypto'
import { enterTermsPdf } from '../access/enter/terms.ts'
import type { Threshold } from '../access/scopes.ts'
import { notFound } from '../base/errors.ts'
import { bytesOf } from '../documents/pages/page-images.ts'
import type { Services } from '../http/context.ts'
import type { ContentClaim } from './content-url.ts'
import type { Content } from './open-content.ts'
import { toUndrawable } from './open-page.ts'
import { plainContent } from './plain-content.ts'

const PDF = 'application/pdf'

/** A page of terms that the user of the claim may read now. It bears no mark: these pages are to be known. */
export async function openTermsPage(
  { db, pages }: Services,
  { pdf_id, page, user_id }: ContentClaim & { action: 'terms_page' },
  threshold: Threshold,
): Promise<Content> {
  const pdf = await enterTermsPdf(db, threshold, pdf_id)
  if (page > pdf.page_widths.length) throw notFound()
  const source = { blob_id: pdf.blob_id, type: PDF }
  const image = bytesOf(await pages.read(source, page, 'page', { user: user_id }).catch(toUndrawable), pdf)
  return {
    name: `page-${page}.jpg`,
    type: 'image/jpeg',
    inline: true,
    size: image.length,
    etag: `"${createHash('sha256').update(image).digest('hex').slice(0, 40)}"`,
    read: async ({ start, end }) => image.subarray(start, end + 1),
  }
}

/** The bytes whose hash an answer records. */
export async function openTermsPdf(
  services: Services,
  { pdf_id }: ContentClaim & { action: 'terms_pdf' },
  threshold: Threshold,
): Promise<Content> {
  const { file_name: name, ...original } = await enterTermsPdf(services.db, threshold, pdf_id)
  return plainContent(services, { name, type: PDF, ...original })
}
