import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { paths } from '../../../dashboard/paths.ts'
import { DIST } from '../../../embedded/dashboard.ts'
import type { WebFigure } from './report.ts'
import { ADMIN, type Stand } from './stand.ts'

const ASSETS = join(DIST, 'assets')
const AT_MOST = 150
const CHUNK_AT_MOST = 25
const LARGEST = 5
/** Chunks shared by several pages (vite.config.ts); every other lazy chunk belongs to one page. */
const SHARED = /^(frame|parts|icons|virtual|inputs|widgets|shared)-/

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
    const ours = kB(await askedFor(stand, path, email))
    asked.push({ work: `scripts asked for, first page: ${name}`, unit: 'kB', ours, goal: { atMost: AT_MOST } })
  }
  const later = [...sizes.keys()].filter((name) => !initial.has(name))
  const chunks = later.map((name) => ({ name, size: kB([name]) })).toSorted((a, b) => b.size - a.size)
  return [
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

async function askedFor(stand: Stand, path: string, email: string | undefined): Promise<Set<string>> {
  const page = await stand.open(email)
  const names = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') names.add(basename(new URL(request.url()).pathname))
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.context().close()
  return names
}
