import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { paths } from '../../../dashboard/paths.ts'
import { DIST } from '../../../embedded/dashboard.ts'
import type { WebFigure } from './report.ts'
import { noteWhenShown } from './observe.ts'
import { ADMIN, type Stand } from './stand.ts'

const ASSETS = join(DIST, 'assets')
const AT_MOST = 150
const CHUNK_AT_MOST = 25
const LARGEST = 5
/** Chunks shared by several pages (vite.config.ts); every other lazy chunk belongs to one page. */
const SHARED = /^(libraries|core|frame|files|overview|choices|fields|home|virtual|widgets|shared)-/

/** Shows that a folder is there; other pages are there with their heading. */
const ROW = '[role="grid"] [role="row"][aria-rowindex="2"]'
/** The libraries that an empty page with React, its reads and MUI's styles asks for too. */
const LIBRARIES = /^(libraries|rolldown-runtime)-/

/** Measures scripts in kB of brotli: those the page names, those a browser requests, and the largest lazy chunks. */
export async function measureScripts(stand: Stand): Promise<WebFigure[]> {
  const sizes = await brotliSizes()
  const kB = (names: Iterable<string>) => [...names].reduce((all, name) => all + (sizes.get(name) ?? 0), 0) / 1000
  const initial = await namedByThePage()
  const rooms = await stand.admin.call<{ workspaces: { id: number }[] }>('GET', '/users/me/workspaces')
  const asked: WebFigure[] = []
  for (const [name, path, email] of [
    ['signing in', paths.signIn(), undefined],
    ['home', paths.home(), ADMIN],
    ['files', paths.files(rooms.workspaces[0]?.id ?? 0), ADMIN],
  ] as const) {
    const { first, all } = await askedFor(stand, path, { email, sign: name === 'files' ? ROW : 'h1' })
    const goal = { atMost: AT_MOST }
    asked.push({ work: `scripts asked for by the first page, until shown: ${name}`, unit: 'kB', ours: kB(first), goal })
    asked.push({ work: `scripts asked for by the first page, until it rests: ${name}`, unit: 'kB', ours: kB(all) })
  }
  const later = [...sizes.keys()].filter((name) => !initial.has(name))
  const chunks = later.map((name) => ({ name, size: kB([name]) })).toSorted((a, b) => b.size - a.size)
  return [
    {
      work: 'reference: the libraries of an empty page',
      unit: 'kB',
      ours: kB([...sizes.keys()].filter((name) => LIBRARIES.test(name))),
    },
    { work: 'initial scripts, which every page needs', unit: 'kB', ours: kB(initial), goal: { atMost: AT_MOST } },
    ...asked,
    ...chunks
      .filter(({ size }, at) => at < LARGEST || size > CHUNK_AT_MOST)
      .map(({ name, size }): WebFigure => ({
        work: `chunk ${name.replace(/-.{8}\.js$/, '')}`,
        unit: 'kB',
        ours: size,
        ...(!SHARED.test(name) && { goal: { atMost: CHUNK_AT_MOST } }),
      })),
  ]
}

/** Returns the brotli size of each script, in bytes. A small file has no `.br` and is compressed here. */
async function brotliSizes(): Promise<Map<string, number>> {
  const files = await readdir(ASSETS)
  const scripts = files.filter((file) => file.endsWith('.js'))
  const sizes = scripts.map(async (file): Promise<[string, number]> => {
    const packed = files.includes(`${file}.br`)
    const size = packed
      ? (await stat(join(ASSETS, `${file}.br`))).size
      : brotliCompressSync(await readFile(join(ASSETS, file))).length
    return [file, size]
  })
  return new Map(await Promise.all(sizes))
}

/** Returns the scripts that `index.html` loads before anything else can happen. */
async function namedByThePage(): Promise<Set<string>> {
  const page = await readFile(join(DIST, 'index.html'), 'utf8')
  return new Set([...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name))
}

/** Returns the scripts asked for until the first page was shown, and until the page rests. */
async function askedFor(stand: Stand, path: string, { email, sign }: { email: string | undefined; sign: string }) {
  const page = await stand.open(email)
  await page.addInitScript(noteWhenShown, sign)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  const asked = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, startTime }) => ({ name, isFirst: startTime <= (window.shownAt ?? Infinity) })),
  )
  await page.context().close()
  const namesOf = (some: typeof asked) => new Set(some.map(({ name }) => basename(new URL(name).pathname)))
  return { first: namesOf(asked.filter(({ isFirst }) => isFirst)), all: namesOf(asked) }
}
