import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minify, type Plugin, type Rolldown } from 'vite'
import { ROOT } from '../sources.ts'
import { FIRST_PAGES } from './chunks.ts'

const EMPTY = 'var modules = {}'

/** Tells public/start.js which modules the usual first pages need, by their address without ids. */
export function firstModules(): Plugin {
  return {
    name: 'first-modules',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
      const modules = Object.values(FIRST_PAGES).map(({ address, modules }) => [address, filesOf(modules, chunks)])
      const script = await readFile(join(ROOT, 'public/start.js'), 'utf8')
      if (!script.includes(EMPTY)) throw new Error(`public/start.js lacks ${EMPTY}`)
      const filled = script.replace(EMPTY, `var modules = ${JSON.stringify(Object.fromEntries(modules))}`)
      this.emitFile({ type: 'asset', fileName: 'start.js', source: (await minify('start.js', filled)).code })
    },
  }
}

/** Returns the addresses of the chunks that these modules need, besides those that index.html names. */
function filesOf(modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]): string[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const withImports = (found: Rolldown.OutputChunk[]): Set<string> => {
    const files = new Set(found.map(({ fileName }) => fileName))
    for (const file of files) for (const imported of byFile.get(file)?.imports ?? []) files.add(imported)
    return files
  }
  const named = withImports(chunks.filter(({ isEntry }) => isEntry))
  const ids = modules.map((path) => join(ROOT, 'src/dashboard', path))
  const needed = withImports(chunks.filter(({ moduleIds }) => ids.some((id) => moduleIds.includes(id))))
  return [...needed].filter((file) => !named.has(file)).map((file) => `/${file}`)
}
