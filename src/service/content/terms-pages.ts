import type { TermsPdf } from '../access/scopes.ts'
import { listSizes } from '../documents/pages/pages-of.ts'
import type { Services } from '../http/context.ts'
import { holderOf } from './content-url.ts'

/** The contract's pages of terms that are a PDF, with their texts. */
export function termsPagesOf(
  { contentUrls }: Pick<Services, 'contentUrls'>,
  { id: pdf_id, threshold, file_name, size, sha256, ...drawn }: TermsPdf,
  texts: readonly string[],
  { from, count }: { from: number; count: number },
) {
  const holder = holderOf(threshold)
  const sizes = listSizes({ ...drawn, content_type: 'application/pdf', converted_type: null })
  return {
    file_name,
    size,
    sha256: sha256.toString('hex'),
    total_pages: sizes.length,
    expires: holder.expires,
    expiring_url: contentUrls.make({ action: 'terms_pdf', pdf_id, ...holder }),
    pages: sizes.slice(from - 1, from - 1 + count).map((box, index) => ({
      page_number: from + index,
      ...box,
      text: texts[index] ?? '',
      expiring_url: contentUrls.make({ action: 'terms_page', pdf_id, page: from + index, ...holder }),
    })),
  }
}
