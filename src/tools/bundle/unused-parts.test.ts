import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import type { Part } from './parts.ts'
import { unusedParts } from './unused-parts.ts'

const LIBRARY = `
const isDevelopment = true
export function used() { return isDevelopment ? 'wordy' : 'used' }
export function unused() { return 'unused' }
`

/** Builds a page that uses a library, without the given parts. */
async function built(...parts: Part[]): Promise<string> {
  const modules: Record<string, string> = {
    'page.js': `import { used, unused } from 'library.js'; console.log(used(), unused)`,
    'library.js': LIBRARY,
  }
  const page = {
    name: 'page',
    resolveId: (id: string) => (id in modules ? `/${id}` : undefined),
    load: (id: string) => modules[id.slice(1)],
  }
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [unusedParts(parts), page],
    build: { write: false, rolldownOptions: { input: 'page.js' } },
  })) as Rolldown.RolldownOutput
  return output[0].code
}

const part = (more: Partial<Part>): Part => ({ path: /library\.js$/, ...more })

test('functions, texts and whole modules are left out of a build', async () => {
  expect(await built(part({}))).toMatch(/wordy.*unused/s)
  const code = await built(part({ texts: [['isDevelopment = true', 'isDevelopment = false']] }))
  expect(code).not.toContain('wordy')
  expect(await built(part({ functions: { unused: undefined } }))).not.toContain('`unused`')
  expect(await built(part({ code: 'export const used = 1, unused = 2' }))).not.toContain('wordy')
})

test.each<[string, Part]>([
  ['path', part({ path: /library-2\.js$/, code: '' })],
  ['text', part({ texts: [['isProduction', '']] })],
  ['function', part({ functions: { gone: undefined } })],
])('a %s that the library no longer has fails the build', async (_, gone) => {
  await expect(built(gone)).rejects.toThrow('check again')
})
