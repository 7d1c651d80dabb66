import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../contract/endpoint.ts'

const CONTRACT = fileURLToPath(new URL('../contract/', import.meta.url))
const HAS_SCHEMAS = /from 'zod\/mini'/

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

function withoutSchemas(_key: string, value: unknown): unknown {
  if (isSchema(value)) return undefined
  if (!isEndpoint(value)) return value
  const { method, path, jsonLines, eventStream } = value
  return { method, path, ...(jsonLines && { jsonLines }), ...(eventStream && { eventStream }) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSchema = (value: unknown) => isObject(value) && '_zod' in value
const isEndpoint = (value: unknown): value is AnyEndpoint => isObject(value) && 'method' in value && 'success' in value
