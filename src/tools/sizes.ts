import { dirname } from 'node:path'
import { isForTests, readSources } from './sources.ts'
import { type Node, parseFile, type Parsed, type Span } from './syntax.ts'

/** A folder with more source files than this has outgrown itself. */
const MAX_FILES = 20
/** Nine of ten functions have at most this many lines. */
const MAX_LINES = 20
/** Percentages of the lines that are not empty. */
const COMMENTS = { min: 5, max: 8 }
/** `AnyEndpoint` is the only alias that needs `any`, once for each of its type parameters. */
const MAX_ANY = 4

/** Describes the size of folders, functions and comments, one line each; a line that begins with `!` is out of bounds. */
export function describeSizes(): string[] {
  const files = readSources(['src', 'e2e'])
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => ({ path, ...parseFile(path) }))
  const product = files.filter(({ path }) => path.startsWith('src/') && !isForTests(path))
  return [
    ...describeFolders(files.map(({ path }) => path).filter((path) => !/\.(test|e2e)\.tsx?$/.test(path))),
    describeFunctions(product),
    describeComments(product),
    describeAny(files),
  ]
}

const line = (isWithin: boolean, text: string) => `${isWithin ? ' ' : '!'} ${text}`

function describeFolders(paths: readonly string[]): string[] {
  const sizes = [...Map.groupBy(paths, dirname)].map(([folder, files]) => ({ folder, files: files.length }))
  const large = sizes.filter(({ files }) => files > MAX_FILES)
  if (large.length === 0) return [line(true, `folders: none has more than ${MAX_FILES} source files, tests aside`)]
  return large.map(({ folder, files }) => line(false, `${folder}: ${files} source files, more than ${MAX_FILES}`))
}

function describeFunctions(files: readonly Parsed[]): string {
  const lengths = files
    .flatMap(({ text, nodes }) => nodes.filter(hasBody).map((node) => linesOf(text, node).length))
    .toSorted((a, b) => a - b)
  const upTo = (share: number) => lengths[Math.floor((lengths.length - 1) * share)] ?? 0
  const counts = `half have at most ${upTo(0.5)} lines, nine of ten ${upTo(0.9)}`
  return line(upTo(0.9) <= MAX_LINES, `${lengths.length} functions: ${counts} (at most ${MAX_LINES})`)
}

const hasBody = ({ type, body }: Node): boolean =>
  /^(Arrow)?Function(Declaration|Expression)?/.test(type) && Boolean(body)

function describeComments(files: readonly Parsed[]): string {
  let [commented, all] = [0, 0]
  for (const { text, comments } of files) {
    all += text.split('\n').filter((each) => each.trim() !== '').length
    for (const comment of comments) if (beginsLine(text, comment)) commented += linesOf(text, comment).length
  }
  const percent = (100 * commented) / all
  const { min, max } = COMMENTS
  return line(percent >= min && percent <= max, `comments: ${percent.toFixed(1)} % of the lines (${min} to ${max})`)
}

/** A comment in JSX stands in braces. */
const beginsLine = (text: string, { start }: Span): boolean =>
  /^\s*\{?$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))

function describeAny(files: readonly Parsed[]): string {
  const found = files.flatMap(({ nodes }) => nodes.filter(({ type }) => type === 'TSAnyKeyword')).length
  return line(found <= MAX_ANY, `any: ${found} times, in the alias AnyEndpoint (at most ${MAX_ANY})`)
}

const linesOf = (text: string, { start, end }: Span): string[] => text.slice(start, end).split('\n')
