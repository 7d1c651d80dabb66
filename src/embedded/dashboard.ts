import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildEnvironment } from './config.ts'

const ROOT = join(import.meta.dirname, '../..')
export const DIST = join(ROOT, 'dist')
const STAMP = '.built-from'
const FOLDERS = ['src/dashboard', 'src/contract', 'src/tools/bundle', 'public']
const FILES = [
  'index.html',
  'package-lock.json',
  // vite.config.ts and what it loads.
  'vite.config.ts',
  'src/tools/contract-data.ts',
  'src/tools/lingui.config.ts',
  'src/tools/messages.ts',
  'src/tools/precompress.ts',
  'src/tools/sources.ts',
  'src/tools/syntax.ts',
]
/** The files and folders that decide what a build contains. */
export const SOURCES: readonly string[] = [...FILES, ...FOLDERS]

/** Builds the dashboard unless `dist` was built from exactly these sources. `signal` ends the build early. */
export async function ensureDashboard(log: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const wanted = await hashOfSources()
  const built = await readFile(join(DIST, STAMP), 'utf8').catch(() => '')
  if (built === wanted) return
  log('Building the dashboard.')
  // Builds in a separate folder and renames it, so that an interrupted build is never used.
  const draft = join(ROOT, `dist.part-${process.pid}`)
  try {
    await build(draft, signal)
    await writeFile(join(draft, STAMP), wanted)
    await rm(DIST, { recursive: true, force: true })
    await rename(draft, DIST)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function build(outDir: string, signal?: AbortSignal): Promise<void> {
  const args = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), ...args], {
    cwd: ROOT,
    env: buildEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(signal && { signal }),
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The dashboard could not be built (see above).')
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...FILES, ...(await filesBelow(FOLDERS))]) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(ROOT, file)))
  }
  return hash.digest('hex')
}

async function filesBelow(folders: string[]): Promise<string[]> {
  const lists = folders.map(async (folder) => {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  })
  return (await Promise.all(lists))
    .flat()
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted()
}
