export const MAX_PAGES = 20_000
/** Per page image. */
export const MAX_PIXELS = 40_000_000
/** Per uploaded image, before it is shrunk. */
export const MAX_INPUT_PIXELS = 200_000_000
/** Characters of text per page, and of all pages together. */
export const MAX_PAGE_TEXT = 200_000
export const MAX_TEXT = 20_000_000
/** Bytes per rendering process. PDFium starts with 16 MiB and grows. */
export const MAX_WASM_BYTES = 1024 ** 3
export const MAX_RESIDENT_BYTES = 1.5 * 1024 ** 3
