import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const FOLDER = new URL('../../../reader/', import.meta.url)

/** Each module follows those that it imports. */
const MODULES = ['codec', 'crypto', 'sealed-file', 'words', 'opening', 'elements', 'pages', 'main']

/** The dashboard's font, in the weights of style.css; src/tools/generate/reader-fonts.sh makes the files. */
const FONTS = [
  { file: 'inter-latin.woff2', range: 'U+0-FF, U+152-153, U+2000-20CF' },
  { file: 'inter-latin-ext.woff2', range: 'U+100-151, U+154-24F, U+1E9E' },
]

interface ReaderPage {
  script: string
  style: string
  shell: string
  scriptHash: string
  styleHash: string
}

let page: ReaderPage | undefined

export function readerPage(): ReaderPage {
  page ??= readPage()
  return page
}

function readPage(): ReaderPage {
  const script = `(() => {'use strict'\n${MODULES.map(readModule).join('\n')}\n})()`
  const style = [...FONTS.map(fontFace), read('style.css')].join('\n')
  return { script, style, shell: read('shell.html'), scriptHash: hashOf(script), styleHash: hashOf(style) }
}

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8').trim()

function fontFace({ file, range }: (typeof FONTS)[number]): string {
  const font = readFileSync(new URL(`fonts/${file}`, FOLDER), 'base64')
  return `@font-face{font-family:'Inter Variable';font-weight:400 650;src:url(data:font/woff2;base64,${font});unicode-range:${range}}`
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns a module as JavaScript without imports and exports, because a file opened from disk cannot load modules. */
function readModule(name: string): string {
  return quietly(() => stripTypeScriptTypes(read(`${name}.ts`)))
    .replaceAll(/^import [^']*'[^']*'$/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
}

/** Hides the warning that stripping types is experimental. Node does the same to all our files without one. */
function quietly<Result>(work: () => Result): Result {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
