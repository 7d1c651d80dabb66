import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const LIBRARY = 'lucide-react'
const IMPORT = /^import \{([^}]+)\} from 'lucide-react'$/gm
const EXPORT = /^export \{([^}]+)\} from '(.+)';$/gm

/** Imports each icon from its own module, so that a build reads only these, and a page loads only the icons it shows. */
export function icons(): Plugin {
  const exported = exportsOf(LIBRARY)
  const importOf = (specifier: string) => {
    const [name = '', local = name] = specifier.split(' as ')
    const source = exported.get(name)
    if (!source) throw new Error(`${LIBRARY} has no ${name}`)
    return `import { ${source.name} as ${local} } from ${JSON.stringify(source.file)}`
  }
  return {
    name: 'icons',
    apply: 'build',
    enforce: 'pre',
    transform: (code) => ({
      code: code.replaceAll(IMPORT, (_, names: string) => specifiersIn(names).map(importOf).join(';')),
      map: null,
    }),
  }
}

function exportsOf(library: string): Map<string, { name: string; file: string }> {
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve(library)), '../esm')
  const all = readFileSync(join(folder, `${library}.mjs`), 'utf8').matchAll(EXPORT)
  return new Map(
    [...all].flatMap(([, names = '', file = '']) =>
      specifiersIn(names).map((specifier) => {
        const [name = '', as = name] = specifier.split(' as ')
        return [as, { name, file: join(folder, file) }] as const
      }),
    ),
  )
}

const specifiersIn = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
