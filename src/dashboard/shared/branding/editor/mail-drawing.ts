import type { Reply } from '../../../../contract/endpoint.ts'
import type { Scheme } from '../../../../contract/endpoints/looks/accents.ts'
import type { Api } from '../../../../contract/index.ts'

type Preview = Reply<Api['brandings']['preview']>
/** A service of an earlier release sends no pictures. */
type Mail = Pick<Preview, 'html' | 'text'> & Partial<Pick<Preview, 'pictures'>>

const XHTML = 'http://www.w3.org/1999/xhtml'

/**
 * Returns the HTML of a mail as a drawing (SVG) for an `<img>`. The policy of the page lets no mail be a part of it, and
 * in an image, browsers run no script and load nothing. Mails are well-formed XML; otherwise there is no image.
 */
export function drawingOf(mail: Mail, scheme: Scheme, width: number): string {
  const { html, pictures = [] } = mail
  const shown = pictures.reduce(
    (page, { cid, content_type, image }) => page.replaceAll(`cid:${cid}`, () => `data:${content_type};base64,${image}`),
    html,
  )
  const page = shown
    .replace(/^\s*<!doctype html>/i, '')
    .replace('<html', `<html xmlns="${XHTML}"`)
    .replace('@media (prefers-color-scheme: dark)', scheme === 'dark' ? '@media all' : '@media not all')
  const height = heightOf(mail, width)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${page}</foreignObject></svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

/** Pixels of the page: those between its edges and the words, and of a logo, a button and the end of a paragraph. */
const SIZES = { sides: 72, ends: 80, logo: 72, button: 75, line: 23, gap: 15, character: 8 }

const TWICE_AS_WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/gu

/** About the height of the page, rather more than less: nothing outside an image can tell what is in it. */
function heightOf({ text, pictures = [] }: Mail, width: number): number {
  const perLine = Math.max(10, (Math.min(width, 624) - SIZES.sides) / SIZES.character)
  // The last paragraph has the address that is behind the button.
  const paragraphs = text.trim().split('\n\n').slice(0, -1)
  const linesOf = (line: string) => Math.max(1, Math.ceil(line.replaceAll(TWICE_AS_WIDE, '$&$&').length / perLine))
  const heights = paragraphs.map((paragraph) => {
    const lines = paragraph.split('\n').reduce((sum, line) => sum + linesOf(line), 0)
    return SIZES.line * lines + SIZES.gap
  })
  const logo = pictures.length > 0 ? SIZES.logo : 0
  return heights.reduce((sum, height) => sum + height, SIZES.ends + logo + SIZES.button)
}
