import { MAX_SET_PAGES } from '../render/limits.ts'
import { openPdfFile } from '../pdf-file.ts'
import { type PageForm, type Style, textWidth } from './blocks.ts'
import { breakLines, type Line, type Run } from './break-lines.ts'
import { createDocumentFont, FONT_OBJECTS, hex } from './document-font.ts'

/** The pages of a document, written one after the other. Places are in points from the upper left corner of the text. */
export interface Pages {
  readonly width: number
  readonly height: number
  /** Where the next line goes. */
  y: number
  line(line: Line, place: { x: number; baseline: number }): void
  box(box: Box, color: string): void
  link(box: Box, href: string): void
  /** Begins a page. @throws NoMorePages if the document has reached the limit */
  turn(): void
  /** Begins a page unless there is room for so much, or the page is empty. */
  need(height: number): void
  finish(): void
  close(): void
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export class NoMorePages extends Error {}

/** What stands below the text of a page, left and right, once it is known how many pages there are. */
export type Footer = (page: number, of: number) => [left: Line, right: Line]

const COLORS = { text: '0.13 0.15 0.18', muted: '0.42 0.45 0.5', link: '0.1 0.33 0.68' }
export const SHADE = '0.955 0.96 0.968'
export const HAIRLINE = '0.8 0.82 0.85'
const PLAIN: Style = { look: 'regular', color: 'muted' }
const SMALL = 7.5
const [CATALOGUE, TREE, FONT] = [1, 2, 3]
const FIRST_PAGE = FONT + FONT_OBJECTS

/** With a footer, pages are held in memory until all are set. Without one, each page has its number. */
export function openPages(target: string, form: PageForm, maxPages = MAX_SET_PAGES, footer?: Footer): Pages {
  const pdf = openPdfFile(target)
  const font = createDocumentFont()
  const { margin } = form
  const [width, height] = [textWidth(form), form.height - 2 * margin]
  let content: string[] = []
  let links: string[] = []
  const held: [content: string[], links: string[]][] = []
  let count = 1

  const at = (x: number, y: number): string => `${fixed(margin + x)} ${fixed(form.height - margin - y)}`
  const small = (text: string): Line => [...breakLines([{ text, style: PLAIN }], SMALL, width)][0] as Line

  function drawRun(run: Run, x: number, baseline: number): void {
    const { style, size, glyphs } = run
    const rise = style.shift === undefined ? 0 : style.shift === 'above' ? size * 0.45 : -size * 0.2
    const y = baseline - rise
    content.push(`${COLORS[style.color ?? 'text']} rg`, `BT /F ${fixed(size)} Tf ${at(x, y)} Td`)
    content.push(`${showing(glyphs)} ET`)
    const stroke = (offset: number) =>
      box({ x, y: y + offset * size, width: run.width, height: 0.6 }, COLORS[style.color ?? 'text'])
    if (style.isUnderlined) stroke(0.12)
    if (style.isStruck) stroke(-0.28)
  }

  /** Glyphs beside or above their place get it by an adjustment or a rise. */
  function showing(glyphs: Run['glyphs']): string {
    const parts: string[] = []
    let codes = ''
    let due = 0
    let rise = 0
    const flush = () => {
      if (codes !== '') parts.push(`<${codes}>`)
      codes = ''
    }
    for (const { font: number, glyph, text, advance, dx, dy } of glyphs) {
      const code = font.numberOf(number, glyph, text)
      const shift = due + dx
      if (dy !== rise) {
        flush()
        parts.push(`] TJ ${fixed(dy)} Ts [`)
        rise = dy
      }
      if (Math.abs(shift) > 0.0005) {
        flush()
        parts.push(fixed(-shift * 1000))
      }
      codes += hex(code)
      due = advance - dx - font.advanceOf(code)
    }
    flush()
    return `[${parts.join('')}] TJ${rise === 0 ? '' : ' 0 Ts'}`
  }

  function box({ x, y, width: across, height: down }: Box, color: string): void {
    content.push(`${color} rg ${at(x, y + down)} ${fixed(across)} ${fixed(down)} re f`)
  }

  function line({ runs }: Line, { x, baseline }: { x: number; baseline: number }): void {
    let left = x
    for (const run of runs) {
      drawRun(run, left, baseline)
      left += run.width
    }
  }

  function link({ x, y, width: across, height: down }: Box, href: string): void {
    const rectangle = `${at(x, y + down)} ${at(x + across, y)}`
    const address = encodeURI(href).replaceAll(/[()\\]/g, String.raw`\$&`)
    links.push(`<</Type/Annot/Subtype/Link/Rect[${rectangle}]/Border[0 0 0]/A<</S/URI/URI(${address})>>>>`)
  }

  function endPage(): void {
    if (footer) held.push([content, links])
    else writePage(count, [undefined, small(String(count))])
    content = []
    links = []
  }

  function writePage(number: number, [left, right]: readonly [Line | undefined, Line]): void {
    const baseline = height + margin / 2
    if (left) line(left, { x: 0, baseline })
    line(right, { x: width - right.width, baseline })
    const first = FIRST_PAGE + (number - 1) * 2
    pdf.stream(first, content.join('\n'))
    const resources = `/Resources<</Font<</F ${FONT} 0 R>>>>`
    const media = `/MediaBox[0 0 ${form.width} ${form.height}]`
    const annotations = links.length === 0 ? '' : `/Annots[${links.join('')}]`
    pdf.object(first + 1, `<</Type/Page/Parent ${TREE} 0 R${media}${resources}${annotations}/Contents ${first} 0 R>>`)
  }

  const pages: Pages = {
    width,
    height,
    y: 0,
    line,
    box,
    link,
    turn() {
      if (count === maxPages) {
        const note = small(`Only the first ${maxPages} pages are shown here. There is more.`)
        line(note, { x: 0, baseline: height + margin / 2 })
        throw new NoMorePages()
      }
      endPage()
      count++
      pages.y = 0
    },
    need(room) {
      if (pages.y > 0 && pages.y + room > height) pages.turn()
    },
    finish() {
      endPage()
      for (const [at, page] of held.entries()) {
        ;[content, links] = page
        writePage(at + 1, footer?.(at + 1, count) ?? [undefined, small('')])
      }
      const kids = Array.from({ length: count }, (_, index) => `${FIRST_PAGE + index * 2 + 1} 0 R`)
      font.write(pdf, FONT)
      pdf.object(TREE, `<</Type/Pages/Count ${count}/Kids[${kids.join(' ')}]>>`)
      pdf.object(CATALOGUE, `<</Type/Catalog/Pages ${TREE} 0 R>>`)
      pdf.finish()
    },
    close: () => pdf.close(),
  }
  return pages
}

const fixed = (value: number): string => String(Math.round(value * 1000) / 1000)
