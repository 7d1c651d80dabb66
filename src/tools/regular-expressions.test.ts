import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { check } from 'recheck'
import { expect, test, vi } from 'vitest'
import { isForTests, readSources, ROOT } from './sources.ts'
import { type Node, parseFile } from './syntax.ts'

// Every regular expression that may see outside text must take linear time.

const LAYERS = ['service', 'proxy', 'reader', 'contract', 'wire', 'signing', 'mail', 'client'].map(
  (each) => `src/${each}`,
)

/** Expressions that may take more than linear time -> why that is harmless. */
const REVIEWED: Record<string, string> = {
  [String.raw`/\/+$/`]: 'Settings of whoever runs the service or calls it.',
  [String.raw`/[. ]+$/`]: 'Names, which have 255 characters at most.',
  [String.raw`/\0+$/`]: 'A line of a page, from PDFium, in a process whose time is limited.',
  [String.raw`/^import [^']*'[^']*'$/gm`]: 'Our own sources.',
  [String.raw`/[ \t]+$/gm`]: 'Our own sources.',
  [String.raw`/<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i`]: 'The first 2,048 bytes of a file, in the worker.',
  [String.raw`/^\/[A-Za-z_-]+[\w-]*\d+$/`]: 'Names in a PDF, in a process whose time is limited.',
  [String.raw`/\d+$/`]: 'Names in a PDF, in a process whose time is limited.',
  [String.raw`/^[+-]?(?:\d+\.?\d*|\.\d+)$/`]: 'Words of a page, in a process whose time is limited.',
  [String.raw`/\.?0+$/`]: 'A number of ours with 12 places at most.',
}

/** Expressions built by functions, as a sample with one argument filled in. */
const SAMPLES: Record<string, string> = {
  'src/service/documents/text/markup.ts': String.raw`[\s:]charset\s*=\s*(?:"([^"]*)"|'([^']*)')`,
}

interface Expression {
  path: string
  source: string
  flags: string
}

const nameOf = ({ source, flags }: Expression) => `/${source}/${flags}`

const files = readSources(LAYERS)
  .filter(({ path }) => !isForTests(path))
  .map(({ path }) => ({ path, nodes: parseFile(path).nodes }))

const literals = files.flatMap(({ path, nodes }) =>
  nodes.flatMap(({ type, regex }): Expression[] => {
    if (type !== 'Literal' || !regex) return []
    const { pattern, flags } = regex as { pattern: string; flags: string }
    return [{ path, source: pattern, flags }]
  }),
)

const isMade = ({ type, callee }: Node) => /^(New|Call)Expression$/.test(type) && (callee as Node)['name'] === 'RegExp'
const makers = files.filter(({ nodes }) => nodes.some(isMade)).map(({ path }) => path)

/** Loads the modules that build expressions, and returns the expressions built at load. */
async function madeAtLoad(): Promise<Expression[]> {
  const made: Expression[] = []
  class Recording extends RegExp {
    static override get [Symbol.species]() {
      return RegExp
    }
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags)
      const { stack = '' } = new Error('where')
      const path = makers.find((each) => stack.includes(each))
      if (path) made.push({ path, source: this.source, flags: this.flags })
    }
  }
  vi.stubGlobal('RegExp', Recording)
  try {
    for (const path of makers) await import(join(ROOT, path))
  } finally {
    vi.unstubAllGlobals()
  }
  return made
}

const CACHE = join(ROOT, 'node_modules/.cache/regular-expressions.json')
/**
 * The fuzzing of an expression ends after a number of characters read. Its limits of time, which a busy machine exceeds
 * with harmless expressions, are raised.
 */
const LIMITS = { timeout: 120_000, seedingTimeout: 20_000, incubationTimeout: 20_000, attackTimeout: 60_000 }

/** Returns the unsafe expressions. Safe results are cached, because an expression does not change. */
async function unsafe(expressions: Expression[]): Promise<string[]> {
  const known = JSON.parse(await readFile(CACHE, 'utf8').catch(() => '[]')) as string[]
  const safe = new Set(known)
  const found: string[] = []
  for (const each of new Map(expressions.map((one) => [nameOf(one), one])).values()) {
    const name = nameOf(each)
    if (safe.has(name) || name in REVIEWED) continue
    const { status, ...details } = await check(each.source, each.flags, LIMITS)
    if (status === 'safe') safe.add(name)
    else found.push(`${each.path}: ${name} ${'complexity' in details ? details.complexity?.summary : status}`)
  }
  await mkdir(dirname(CACHE), { recursive: true })
  await writeFile(CACHE, JSON.stringify([...safe]))
  return found
}

test('K2: no regular expression takes more than linear time', async () => {
  const made = await madeAtLoad()
  const samples = Object.entries(SAMPLES).map(([path, source]) => ({ path, source, flags: '' }))
  const all = [...literals, ...made, ...samples]
  expect(makers.filter((path) => !all.some((each) => each.path === path))).toEqual([])
  expect(literals.length).toBeGreaterThan(100)
  expect(await unsafe(all)).toEqual([])
}, 900_000)

test('the check finds expressions that take more', async () => {
  for (const source of ['(a+)+$', String.raw`^(?:<!--[\s\S]*?-->\s*)*<svg`, String.raw`\s+$`]) {
    expect((await check(source, '', LIMITS)).status).toBe('vulnerable')
  }
}, 300_000)
