import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Source {
  /** Below the root, with slashes: `src/service/app.ts`. */
  path: string
  /** Without comments. */
  text: string
  imports: Import[]
}

export interface Import {
  /** `src/contract/index.ts` for our own files, else as written: `node:fs`, `fastify`. */
  target: string
  own: boolean
  typeOnly: boolean
}

const IMPORT = /\b(?:import|export)\s+(type\s)?[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g

/** Reads all TypeScript and `.mjs` files in the folders, with their imports. */
export function readSources(folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) => readSource(relative(ROOT, join(entry.parentPath, entry.name)))),
  )
}

function readSource(path: string): Source {
  const text = withoutComments(readFileSync(join(ROOT, path), 'utf8'))
  return { path, text, imports: importsOf(path, text) }
}

export function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, from, bare]) => {
    const target = from ?? bare ?? ''
    const own = target.startsWith('.')
    return { target: own ? normalize(join(dirname(path), target)) : target, own, typeOnly: type !== undefined }
  })
}

/** A line comment needs white space or a line start before it, so that `https://` stays. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** Whether a file is a test or a test helper; these may import anything. */
export const isForTests = (path: string): boolean => /\.test\.tsx?$|\.e2e\.ts$|\/testing\//.test(path)
