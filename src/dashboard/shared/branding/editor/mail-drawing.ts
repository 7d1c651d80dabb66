import type { Reply } from '../../../../contract/endpoint.ts'
import type { Scheme } from '../../../../contract/endpoints/looks/accents.ts'
import type { Api } from '../../../../contract/index.ts'

type Mail = Pick<Reply<Api['brandings']['preview']>, 'html' | 'text' | 'pictures'>

/**
 * Returns the HTML of a mail as a drawing (SVG) for an `<img>`. The policy of the page lets no mail be a part of it, and
 * in an image, browsers run no script and load nothing. Mails are well-formed XML; otherwise there is no image.
 */
export function drawingOf({ html, text, pictures }: Mail, scheme: Scheme, width: number): string {
  const shown = pictures.reduce(
    (page, { cid, content_type, image }) => page.replaceAll(`cid:${cid}`, () => `data:${content_type};base64,${image}`),
    html,
  )
  const page = shown
    .replace(/^\s*<!doctype html>/i, '')
    .replace('<html ', '<html xmlns="http://www.w3.org/1999/xhtml" ')
    .replace('@media (prefers-color-scheme: dark)', scheme === 'dark' ? '@media all' : '@media not all')
  const height = heightOf(text, width)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${page}</foreignObject></svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

const LINE = 24
/** Around the text: margins, logo, name and button. */
const AROUND = 300

/** At least the height of the page, which nothing in an image can tell. */
function heightOf(text: string, width: number): number {
  const perLine = Math.max(20, (Math.min(width, 600) - 72) / 8)
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / perLine)))
  return AROUND + LINE * lines.reduce((sum, each) => sum + each, 0)
}
