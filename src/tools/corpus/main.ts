import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeCorpus } from '../../service/testing/documents/corpus/corpus.ts'
import type { Sample } from '../../service/testing/documents/corpus/sample.ts'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { median } from '../bench/measure.ts'
import { openOurs, type Reading } from './ours.ts'
import { readByOthers } from './theirs.ts'

// `npm run test:corpus [-- --engine --folder /some/files]` reads the corpus, every format in every language, or the files
// of a folder, by LibreOffice of the system or as WebAssembly, and beside it by LibreOffice and Poppler alone.

const GOALS = { ready: 0.92, recall: 0.98, firstPageMs: 3000 }

const { values } = parseArgs({
  options: { engine: { type: 'boolean' }, folder: { type: 'string' }, only: { type: 'string' } },
})
if (!(await ensureInstalled('office', 'bubblewrap', 'poppler'))) process.exit(1)

const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
const samples = (
  values.folder === undefined
    ? await makeCorpus(folder, { hasOffice: true, extent: 'each language' })
    : await readFiles(values.folder)
).filter(({ name }) => values.only === undefined || values.only.split(',').includes(extname(name).slice(1)))

const share = (part: number, of: number): number => (of === 0 ? 1 : part / of)
const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0)

interface Result extends Reading {
  sample: Sample
  theirs: readonly string[] | undefined
}

const ours = openOurs({ engine: values.engine ?? false })
const results: Result[] = []
try {
  const paths = await write(samples)
  const theirs = await readByOthers(paths, join(folder, 'theirs'))
  for (const [at, sample] of samples.entries()) {
    const path = paths[at] ?? ''
    results.push({
      sample,
      theirs: theirs.get(path),
      ...(await ours.read(path, sample.name, join(folder, `ours ${at}`))),
    })
  }
} finally {
  await ours.close()
  await rm(folder, { recursive: true, force: true })
}
process.exit(report(results) ? 0 : 1)

async function readFiles(from: string): Promise<Sample[]> {
  const names = (await readdir(from, { recursive: true })).toSorted()
  const files: Sample[] = []
  for (const name of names) {
    const path = join(from, name)
    if ((await stat(path)).isFile()) files.push({ name: basename(name), content: await readFile(path), words: [] })
  }
  return files
}

async function write(list: readonly Sample[]): Promise<string[]> {
  const paths: string[] = []
  for (const [at, { name, content }] of list.entries()) {
    await mkdir(join(folder, 'files', String(at)), { recursive: true })
    const path = join(folder, 'files', String(at), name)
    await writeFile(path, content)
    paths.push(path)
  }
  return paths
}

/** The words that the other reader finds, of those that are known to be in the file, and how many of them we find. */
function recallOf({ sample, theirs = [], words }: Result): { found: number; of: number; missing: string[] } {
  const known = new Set(sample.words)
  const expected = theirs.filter((word) => known.size === 0 || known.has(word))
  const own = new Set(words)
  const missing = expected.filter((word) => !own.has(word))
  return { found: expected.length - missing.length, of: expected.length, missing }
}

function report(all: readonly Result[]): boolean {
  const byExtension = Map.groupBy(all, ({ sample }) => extname(sample.name).slice(1).toLowerCase())
  console.table([...byExtension].map(([extension, some]) => ({ extension, ...figuresOf(some) })))
  const total = figuresOf(all)
  console.log(total)
  const shown = all.filter(({ sample }) => sample.refusal === undefined)
  for (const { sample, reason, theirs } of shown.filter((each) => each.reason !== undefined))
    console.log(`${sample.name}: ${reason}${theirs === undefined ? '' : ' (shown by others)'}`)
  for (const result of shown.filter((each) => each.reason === undefined)) {
    const { missing } = recallOf(result)
    if (missing.length > 0) console.log(`${result.sample.name} lacks ${missing.slice(0, 8).join(', ')}`)
  }
  const wrong = all.filter(
    ({ sample, reason = '' }) => sample.refusal !== undefined && !reason.includes(sample.refusal),
  )
  for (const { sample, reason = 'shown' } of wrong) console.log(`${sample.name}: ${reason}, not "${sample.refusal}"`)
  return total.ready >= GOALS.ready && total.recall >= GOALS.recall && wrong.length === 0
}

function figuresOf(some: readonly Result[]) {
  const shownByOthers = some.filter(({ theirs, sample }) => theirs !== undefined && sample.refusal === undefined)
  const ready = shownByOthers.filter(({ reason }) => reason === undefined)
  const recalls = ready.map(recallOf)
  const times = some.flatMap(({ ms, reason }) => (reason === undefined ? [Math.round(ms)] : []))
  return {
    files: some.length,
    others: shownByOthers.length,
    ready: Number(share(ready.length, shownByOthers.length).toFixed(4)),
    recall: Number(share(sum(recalls.map(({ found }) => found)), sum(recalls.map(({ of }) => of))).toFixed(4)),
    medianMs: median(times),
    longestMs: Math.max(0, ...times),
    late: times.filter((ms) => ms > GOALS.firstPageMs).length,
  }
}
