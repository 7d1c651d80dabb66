/** Limits of a PDF that stands for the text of terms. */
export const TERMS_PDF = { bytes: 10_000_000, pages: 100, characters: 600_000 }

/** In place of the digest of a draft of terms where there is none. */
export const NO_DRAFT = 'none'

/** Stands between the sentence that names the PDF and the text of its pages, and between these. */
export const TERMS_BREAK = '\n\n'

/** The text of the pages within the `text` of terms that are a PDF: the sentence before it is for other clients. */
export function textOfPages(text: string): string {
  const end = text.indexOf(TERMS_BREAK)
  return end === -1 ? '' : text.slice(end + TERMS_BREAK.length)
}
