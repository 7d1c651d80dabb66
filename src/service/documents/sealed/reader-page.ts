import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const FOLDER = new URL('../../../reader/', import.meta.url)

/** Each module follows those that it imports. */
const MODULES = ['codec', 'crypto', 'sealed-file', 'opening', 'elements', 'pages', 'main']

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
  const style = read('style.css')
  return { script, style, shell: read('shell.html'), scriptHash: hashOf(script), styleHash: hashOf(style) }
}

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8').trim()

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
