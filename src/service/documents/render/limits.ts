/** What a document may cost. */
export const MAX_PAGES = 20_000
/** Of one page image. */
export const MAX_PIXELS = 40_000_000
/** Of an uploaded image, before it is made smaller. */
export const MAX_INPUT_PIXELS = 200_000_000
/** Of the text of one page, and of all pages together, in characters. */
export const MAX_PAGE_TEXT = 200_000
export const MAX_TEXT = 20_000_000
/** Of a rendering process. PDFium begins with 16 MiB and grows. */
export const MAX_WASM_BYTES = 1024 ** 3
export const MAX_RESIDENT_BYTES = 1.5 * 1024 ** 3
