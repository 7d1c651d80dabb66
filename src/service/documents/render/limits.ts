export const MAX_PAGES = 20_000
/** Pages that are made of a text, table or message; what follows is not shown. */
export const MAX_SET_PAGES = 1000
/** Per page image. */
export const MAX_PIXELS = 40_000_000
/** Per uploaded image, before it is shrunk. */
export const MAX_INPUT_PIXELS = 200_000_000
/** Per bitmap, whose pixels lie in memory beside the file. */
export const MAX_BITMAP_PIXELS = 100_000_000
/** Characters of text per page, and of all pages together. */
export const MAX_PAGE_TEXT = 200_000
export const MAX_TEXT = 20_000_000
/** Characters of a page whose places are read. */
export const MAX_LAYER_TEXT = 40_000
/** Bytes per rendering process. PDFium starts with 16 MiB and grows. */
export const MAX_WASM_BYTES = 1024 ** 3
/** Per file that a process makes. */
export const MAX_OUTPUT_BYTES = 512 * 1024 ** 2
export const MAX_RESIDENT_BYTES = 1.5 * 1024 ** 3
