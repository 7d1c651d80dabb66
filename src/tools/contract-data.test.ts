import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { api } from '../contract/index.ts'
import { apiBySection, contractData } from './contract-data.ts'

/** Builds the module as a browser would get it and returns its exports. */
async function built(entry: string): Promise<Record<string, unknown>> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [contractData()],
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'contract' } },
  })
  const [first] = Array.isArray(result) ? result : []
  const code = first?.output[0].code ?? ''
  expect(code).not.toContain('zod')
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>
}

const fileOf = (name: string) => fileURLToPath(new URL(`../contract/${name}`, import.meta.url))

test('a browser gets the method and the path of every endpoint, and no schema', async () => {
  const sections = Object.entries(api).map(([section, endpoints]) => {
    const calls = Object.entries(endpoints).map(([name, { method, path, jsonLines, eventStream }]) => [
      name,
      { method, path, ...(jsonLines && { jsonLines }), ...(eventStream && { eventStream }) },
    ])
    return [section, Object.fromEntries(calls)]
  })
  const { api: data } = await built(fileOf('index.ts'))
  expect(data).toEqual(Object.fromEntries(sections))
})

test('constants stay, and modules without schemas are unchanged', async () => {
  const { FLAGS } = await built(fileOf('endpoints/permissions.ts'))
  expect(FLAGS).toEqual((await import('../contract/endpoints/permissions.ts')).FLAGS)
  const { urlOf } = await built(fileOf('url.ts'))
  expect(urlOf).toBeTypeOf('function')
})

/** Builds a module of the dashboard, whose calls are left out. */
async function builtPart(path: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [apiBySection(), contractData()],
    build: {
      write: false,
      lib: { entry: fileOf(`../dashboard/${path}`), formats: ['es'], fileName: 'part' },
      rolldownOptions: { external: /query|client|macro/ },
    },
  })
  const [first] = Array.isArray(result) ? result : []
  return first?.output[0].code ?? ''
}

test('a page of the dashboard imports the sections of the API that it names, and no others', async () => {
  const code = await builtPart('shared/welcome-query.ts')
  expect(code).toContain('/workspaces/{id}/welcome')
  expect(code).not.toContain('/groups')
})

test('a section of which a part is chosen while it runs is imported as well', async () => {
  const code = await builtPart('pages/files/change/change-calls.ts')
  for (const path of ['/files/{id}/move', '/folders/{id}/copy']) expect(code).toContain(path)
  expect(code).not.toMatch(/\bapi\.\w+\[/)
})
