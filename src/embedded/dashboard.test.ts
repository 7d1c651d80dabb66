import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, ROOT } from '../tools/sources.ts'
import { SOURCES } from './dashboard.ts'

const isSource = (path: string) => SOURCES.some((source) => path === source || path.startsWith(`${source}/`))

test('a change to a module that the build loads makes the next start build the dashboard again', async () => {
  const loaded = new Set(['vite.config.ts', 'src/tools/lingui.config.ts'])
  for (const path of loaded)
    for (const { target, own, typeOnly } of importsOf(path, await readFile(join(ROOT, path), 'utf8')))
      if (own && !typeOnly) loaded.add(target)
  expect([...loaded]).toContain('src/tools/precompress.ts')
  expect([...loaded].filter((path) => !isSource(path))).toEqual([])
})
