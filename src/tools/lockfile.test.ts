import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

type Packages = Record<string, { optionalDependencies?: Record<string, string> }>

// npm leaves out those that the registry lacks, or that were not on the machine that wrote the file; then `npm ci`
// refuses, here or elsewhere.
test('the lockfile names the packages of every platform', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Packages }
  const present = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  expect(wanted.filter((name) => !present.has(name))).toEqual([])
})
