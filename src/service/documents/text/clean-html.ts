import { decodeHTML } from 'entities'
import { attributeOf, readHtml, type Tag } from './markup.ts'

/**
 * Elements that are kept, each with the attributes that are kept. Nothing kept can load, run, submit or cover anything:
 * no links, images, styles or forms. The text of other elements is kept, except for `UNSEEN` ones.
 */
const KEPT = new Map<string, readonly string[]>([
  ...[
    'b strong i em cite var dfn u ins s del strike sub sup code kbd samp tt mark br hr p div blockquote pre ul li dl dt dd',
    'h1 h2 h3 h4 h5 h6 table tr address article aside center details figcaption figure footer header main nav section summary',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => [name, ['align', 'dir']] as const),
  ['ol', ['align', 'dir', 'start']],
  ...['td', 'th'].map((name) => [name, ['align', 'dir', 'colspan', 'rowspan']] as const),
])
const VOID = new Set(['br', 'hr'])
/** Elements whose text readers of mail do not see. */
const UNSEEN = new Set(['head', 'title', 'template', 'noscript', 'object', 'select', 'textarea', 'svg', 'math'])
const VALUES: Record<string, RegExp> = {
  align: /^(left|right|center|justify)$/i,
  dir: /^(ltr|rtl)$/i,
  start: /^\d{1,6}$/,
  colspan: /^[1-9]\d?$/,
  rowspan: /^[1-9]\d?$/,
}
const HIDDEN = /display\s{0,3}:\s{0,3}none/i

/** Elements that end where one of these begins, if the page does not end them itself. */
const ENDS: Record<string, readonly string[]> = {
  p: ['p'],
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  tr: ['tr'],
  td: ['td', 'th'],
  th: ['td', 'th'],
}
const LISTS = ['ul', 'ol', 'dl']

/** Layouts of mails nest some ten tables. */
const MAX_DEPTH = 100
const MAX_TABLES = 12

/**
 * Returns the body of an HTML page with nothing but text, paragraphs, lists, tables and emphasis: as ASCII, properly
 * nested and closed. Takes time linear in its length.
 */
export function cleanHtml(html: string): string {
  const output: string[] = []
  /** Names of the open elements, outermost first. */
  const open: string[] = []
  let tables = 0
  let unseen: { name: string; depth: number } | undefined

  /**
   * Returns the index from which open elements may be closed: a tag inside a table never closes an element around the
   * table, and a tag inside a list closes no element around the list unless it is a list tag.
   */
  function startOf(name: string): number {
    if (name === 'table') return 0
    const lists = LISTS.includes(name) ? [] : LISTS
    return Math.max(...['table', ...lists].map((each) => open.lastIndexOf(each)))
  }

  function close(name: string): void {
    const at = open.lastIndexOf(name)
    if (at < 0 || at < startOf(name)) return
    for (const each of open.splice(at).toReversed()) {
      if (each === 'table') tables--
      output.push(`</${each}>`)
    }
  }

  function start(tag: Tag, name: string): void {
    if (open.length >= MAX_DEPTH || (name === 'table' && tables >= MAX_TABLES)) return
    for (const each of ENDS[name] ?? []) close(each)
    output.push(`<${name}${attributesOf(tag, name)}>`)
    if (VOID.has(name)) return
    open.push(name)
    if (name === 'table') tables++
  }

  for (const token of readHtml(html)) {
    if (token.kind === 'text') {
      if (unseen === undefined) output.push(toAsciiHtml(token.raw ? token.text : decodeHTML(token.text)))
      continue
    }
    const name = token.name.toLowerCase().replace(/\/$/, '')
    if (unseen !== undefined) {
      if (name === unseen.name && token.kind !== 'empty') unseen.depth += token.kind === 'open' ? 1 : -1
      if (unseen.depth === 0 || name === 'body') unseen = undefined
    } else if (token.kind === 'open' && !VOID.has(name) && (UNSEEN.has(name) || isHidden(token))) {
      unseen = { name, depth: 1 }
    } else if (KEPT.has(name)) {
      if (token.kind === 'close') close(name)
      else start(token, name)
    }
  }
  return (
    output.join('') +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  )
}

/** Many mails begin with a hidden line for the list of an inbox. */
const isHidden = (tag: Tag): boolean => HIDDEN.test(attributeOf(tag, 'style') ?? '') && !/^(img|input)$/i.test(tag.name)

function attributesOf(tag: Tag, name: string): string {
  const kept = (KEPT.get(name) ?? []).flatMap((attribute) => {
    const value = attributeOf(tag, attribute)
    return value !== undefined && VALUES[attribute]?.test(value) ? [` ${attribute}="${value}"`] : []
  })
  return kept.join('')
}

/** Escapes text, and writes characters outside of ASCII as numeric references, which mean the same in any encoding. */
export function toAsciiHtml(text: string): string {
  return text
    .replaceAll(/[&<>"\0]/g, (character) => `&#${character.codePointAt(0) || 0xfffd};`)
    .replaceAll(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
}
