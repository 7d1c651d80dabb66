/**
 * Pixels: the box of a drawn logo, for screens with two pixels for each of the page; the longer side of an uploaded one.
 * Every mail carries the logo, so a drawn one with more bytes gets a palette, which makes it smaller than that for sure.
 */
export const LOGO = { width: 480, height: 160, maxSide: 4096, maxBytes: 80 * 1024 }
