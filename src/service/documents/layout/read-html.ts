import MarkdownIt from 'markdown-it'
import { decodeHTML } from 'entities'
import { cleanHtml } from '../text/clean-html.ts'
import { attributeOf, readHtml, type Tag } from '../text/markup.ts'
import { type Block, type Cell, PORTRAIT, type Row, type Span, type Style, type TextBlock } from './blocks.ts'
import { expandTabs, type Reading } from './read-text.ts'

interface Element {
  tag: Tag
  name: string
  children: (Element | string)[]
}

/** Larger files are set as plain text. */
export const MAX_MARKDOWN = 2 * 1024 ** 2

const markdown = new MarkdownIt({ html: true })
markdown.renderer.rules['image'] = (tokens, at) =>
  `<em>[${markdown.utils.escapeHtml(tokens[at]?.content || 'image')}]</em>`

export const readMarkdown = (text: string): Reading => readPage(aligned(markdown.render(text)))

/** Cells are aligned by a style, which is dropped with all others. */
const aligned = (html: string): string => html.replaceAll(/style="text-align:(left|center|right)"/g, 'align="$1"')

/** Reads text, paragraphs, lists, tables and emphasis of an HTML page. Nothing else of it is shown, and nothing loaded. */
export function readPage(html: string): Reading {
  return { form: PORTRAIT, blocks: blocksOf(treeOf(cleanHtml(html)), { indent: 0, bars: [], style: {} }) }
}

/** `clean` is properly nested and of limited depth. */
function treeOf(clean: string): Element {
  const root: Element = { tag: { kind: 'open', name: 'body', attributes: '' }, name: 'body', children: [] }
  const open = [root]
  for (const token of readHtml(clean)) {
    const parent = open.at(-1) ?? root
    if (token.kind === 'text') parent.children.push(decodeHTML(token.text))
    else if (token.kind === 'close') open.pop()
    else {
      const element = { tag: token, name: token.name, children: [] }
      parent.children.push(element)
      if (!/^(br|hr)$/.test(token.name)) open.push(element)
    }
  }
  return root
}

const SIZE = 10.5
const CODE_SIZE = 8.8
const INDENT = 20
const AFTER = 6
const HEADINGS: Record<string, number> = { h1: 20, h2: 16, h3: 13.5, h4: 12, h5: 11, h6: 10.5 }
const INLINE = new Set('b strong i em cite var dfn u ins s del strike sub sup br code kbd samp tt mark span'.split(' '))

interface Emphasis {
  bold?: boolean
  italic?: boolean
  code?: boolean
  isUnderlined?: boolean
  isStruck?: boolean
  shift?: 'above' | 'below'
}

interface Context {
  indent: number
  bars: readonly number[]
  style: Emphasis
  /** The number or bullet of an item of a list, which its first text takes. */
  marker?: string | undefined
}

function* blocksOf(parent: Element, context: Context): Generator<Block> {
  let inline: (Element | string)[] = []
  let { marker } = context
  function* flush(): Generator<Block> {
    const spans = tidied(spansOf(inline, context.style))
    inline = []
    if (spans.length === 0) return
    yield paragraph(spans, { ...context, marker })
    marker = undefined
  }
  for (const child of parent.children) {
    if (typeof child === 'string' || INLINE.has(child.name)) inline.push(child)
    else {
      yield* flush()
      yield* blockOf(child, { ...context, marker })
      marker = undefined
    }
  }
  yield* flush()
}

const paragraph = (spans: readonly Span[], { indent, bars, marker }: Context): TextBlock => ({
  kind: 'text',
  spans,
  size: SIZE,
  indent,
  bars,
  after: indent > 0 && bars.length === 0 ? 2 : AFTER,
  ...(marker === undefined ? {} : { marker }),
})

function* blockOf(element: Element, context: Context): Generator<Block> {
  const { name } = element
  if (name in HEADINGS) yield heading(element, context)
  else if (name === 'hr') yield { kind: 'rule' }
  else if (name === 'pre') yield* codeBlocks(element, context)
  else if (name === 'ul' || name === 'ol') yield* listBlocks(element, context)
  else if (name === 'dd') yield* blocksOf(element, { ...context, indent: context.indent + INDENT })
  else if (name === 'dt') yield* blocksOf(element, { ...context, style: { ...context.style, bold: true } })
  else if (name === 'blockquote') {
    const { indent, bars } = context
    yield* blocksOf(element, { ...context, indent: indent + 14, bars: [...bars, indent + 2] })
  } else if (name === 'table') yield* tableBlocks(element, context)
  else yield* blocksOf(element, context)
}

function heading(element: Element, { indent, bars, style }: Context): TextBlock {
  const size = HEADINGS[element.name] ?? SIZE
  const spans = tidied(spansOf(inlineOf(element), { ...style, bold: true }))
  return { kind: 'text', spans, size, indent, bars, before: size * 0.8, after: size * 0.35, isHeading: true }
}

function* codeBlocks(element: Element, { indent, bars }: Context): Generator<Block> {
  const text = textOf(element).replace(/^\n/, '').replace(/\n$/, '')
  const style: Style = { look: 'mono' }
  const code = { kind: 'text', size: CODE_SIZE, indent: indent + 8, bars, isShaded: true } as const
  const lines = text.split('\n')
  for (const [at, line] of lines.entries())
    yield {
      ...code,
      spans: [{ text: expandTabs(line), style }],
      hanging: 10,
      after: at === lines.length - 1 ? AFTER + 2 : 0,
    }
}

function* listBlocks(list: Element, context: Context): Generator<Block> {
  let number = Number(attributeOf(list.tag, 'start') ?? 1)
  for (const item of list.children) {
    if (typeof item === 'string') continue
    const marker = list.name === 'ol' ? `${number++}.` : '•'
    yield* blocksOf(item, {
      ...context,
      indent: context.indent + INDENT,
      marker: item.name === 'li' ? marker : undefined,
    })
  }
}

const inlineOf = (element: Element): (Element | string)[] =>
  element.children.flatMap((child) =>
    typeof child === 'string' || INLINE.has(child.name) ? [child] : ['\n', ...inlineOf(child), '\n'],
  )

const textOf = (element: Element): string =>
  element.children
    .map((child) => (typeof child === 'string' ? child : child.name === 'br' ? '\n' : textOf(child)))
    .join('')

const EMPHASIS: Record<string, Emphasis> = {
  ...Object.fromEntries(['b', 'strong'].map((name) => [name, { bold: true }])),
  ...Object.fromEntries(['i', 'em', 'cite', 'var', 'dfn'].map((name) => [name, { italic: true }])),
  ...Object.fromEntries(['code', 'kbd', 'samp', 'tt'].map((name) => [name, { code: true }])),
  ...Object.fromEntries(['s', 'del', 'strike'].map((name) => [name, { isStruck: true }])),
  ...Object.fromEntries(['u', 'ins'].map((name) => [name, { isUnderlined: true }])),
  sub: { shift: 'below' },
  sup: { shift: 'above' },
}

/** Line feeds are those of `br`; every other white space is one space. */
function spansOf(nodes: readonly (Element | string)[], emphasis: Emphasis): Span[] {
  const style = styleOf(emphasis)
  return nodes.flatMap((node): Span[] => {
    if (typeof node === 'string') return [{ text: node === '\n' ? node : node.replaceAll(/[ \t\r\n\f]+/g, ' '), style }]
    if (node.name === 'br') return [{ text: '\n', style }]
    return spansOf(node.children, { ...emphasis, ...EMPHASIS[node.name] })
  })
}

function styleOf({ bold, italic, code, ...rest }: Emphasis): Style {
  if (code) return { look: bold ? 'monoBold' : 'mono', ...rest }
  return { look: bold ? (italic ? 'boldItalic' : 'bold') : italic ? 'italic' : 'regular', ...rest }
}

/** Removes white space around lines, and spans without text. */
function tidied(spans: readonly Span[]): Span[] {
  const tidy: Span[] = []
  let isStart = true
  for (const { text, style } of spans) {
    let own = text
    if (isStart) own = own.replace(/^[ \n]+/, '')
    else if (tidy.at(-1)?.text.endsWith('\n')) own = own.replace(/^ +/, '')
    else if (tidy.at(-1)?.text.endsWith(' ') && own.startsWith(' ')) own = own.slice(1)
    if (own === '') continue
    isStart = false
    tidy.push({ text: own, style })
  }
  while (tidy.length > 0) {
    const last = tidy.pop()
    const own = last?.text.trimEnd() ?? ''
    if (last && own !== '') return [...tidy, { ...last, text: own }]
  }
  return tidy
}

/** A table of at least two rows and columns, without tables within, is set as one. Others only arrange a page. */
function* tableBlocks(table: Element, context: Context): Generator<Block> {
  const rows = elementsOf(table, 'tr')
  const cells = rows.map(
    (row) => row.children.filter((cell) => typeof cell !== 'string' && /^t[dh]$/.test(cell.name)) as Element[],
  )
  const columns = Math.max(1, ...cells.map((row) => row.reduce((sum, cell) => sum + columnsOf(cell), 0)))
  if (rows.length < 2 || columns < 2 || elementsOf(table, 'table').length > 0) return yield* blocksOf(table, context)
  const set = cells.map((row) => row.map((cell) => toCell(cell, context.style)))
  const isHeader = (row: readonly Element[] | undefined) => row?.every((cell) => cell.name === 'th') ?? false
  const headers = isHeader(cells[0]) ? 1 : 0
  const { indent, bars } = context
  const sample: Row[] = set.slice(headers, headers + 400)
  yield {
    kind: 'table',
    columns,
    headers: set.slice(0, headers),
    rows: set.slice(headers),
    sample,
    size: 9.5,
    indent,
    bars,
  }
}

function elementsOf(element: Element, name: string): Element[] {
  const found: Element[] = []
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.name === name) found.push(child)
    if (child.name !== 'table') found.push(...elementsOf(child, name))
  }
  return found
}

const columnsOf = ({ tag }: Element): number => Number(attributeOf(tag, 'colspan') ?? 1)

function toCell(cell: Element, style: Emphasis): Cell {
  const spans = tidied(spansOf(inlineOf(cell), cell.name === 'th' ? { ...style, bold: true } : style))
  return { spans, isRight: /right/i.test(attributeOf(cell.tag, 'align') ?? ''), columns: columnsOf(cell) }
}
