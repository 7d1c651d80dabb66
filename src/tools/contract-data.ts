import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../contract/endpoint.ts'

const CONTRACT = fileURLToPath(new URL('../contract/', import.meta.url))
const HAS_SCHEMAS = /from 'zod\/mini'/
const DASHBOARD = fileURLToPath(new URL('../dashboard/', import.meta.url))
const IMPORTS_API = /^import \{ (?:type Api, )?api \} from '[./]+\/contract\/index\.ts'$/m
const SECTION = /(?<![\w$./])api\.(\w+)/g
/** Uses of the whole, such as `api[section]`. */
const WHOLE = /(?<![\w$./])api(?=\s*[[\]),;}])/

/**
 * Reduces the contract to what a browser needs: constants, and the method and path of each endpoint. Pages use only the
 * types of the schemas; the schemas and their library stay where input is checked.
 */
export function contractData(): Plugin {
  return {
    name: 'contract-data',
    apply: (_config, { mode }) => mode !== 'test',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.startsWith(CONTRACT) || !HAS_SCHEMAS.test(code)) return undefined
      const exported = Object.entries((await import(id)) as Record<string, unknown>)
      const kept = exported.filter(([, value]) => !isSchema(value) && typeof value !== 'function')
      const lines = kept.map(([name, value]) => `export const ${name} = ${JSON.stringify(value, withoutSchemas)}`)
      return { code: lines.join('\n'), map: null }
    },
  }
}

/**
 * Lets each page of the dashboard import the sections of the API that it names, instead of `api` with all of them, which
 * every first page would load.
 */
export function apiBySection(): Plugin {
  const files = filesOfSections()
  return {
    name: 'api-by-section',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(DASHBOARD) || !IMPORTS_API.test(code)) return undefined
      const named = new Set([...code.matchAll(SECTION)].map(([, section = '']) => section))
      const imports = [...named].map((section) => {
        const file = files.get(section)
        if (!file) throw new Error(`${id}: the API has no section ${section}`)
        return `import { ${section} as api_${section} } from '${file}'`
      })
      const bySection = code.replace(IMPORTS_API, imports.join(';')).replace(SECTION, 'api_$1')
      if (WHOLE.test(bySection)) throw new Error(`${id}: name the section of the API`)
      return { code: bySection, map: null }
    },
  }
}

function filesOfSections(): Map<string, string> {
  const index = readFileSync(join(CONTRACT, 'index.ts'), 'utf8')
  const imports = index.matchAll(/^import \{ (\w+) \} from '\.\/(.+)'$/gm)
  return new Map(
    [...imports].map(([, section = '', file = '']) => [section, join(CONTRACT, file).replaceAll('\\', '/')]),
  )
}

function withoutSchemas(_key: string, value: unknown): unknown {
  if (isSchema(value)) return undefined
  if (!isEndpoint(value)) return value
  const { method, path, jsonLines, eventStream } = value
  return { method, path, ...(jsonLines && { jsonLines }), ...(eventStream && { eventStream }) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSchema = (value: unknown) => isObject(value) && '_zod' in value
const isEndpoint = (value: unknown): value is AnyEndpoint => isObject(value) && 'method' in value && 'success' in value
