import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../sources.ts'
import { readLockfile, readManifest, readPackageJson } from './packages.ts'

const packages = readLockfile()
const { allowScripts, ...ours } = readPackageJson()

// npm omits packages that the registry lacks, or that were absent from the machine that wrote the file. `npm ci` then
// fails, here or on another machine.
test('the lockfile names the packages of every platform', () => {
  const present = new Set(packages.map(({ path }) => path.split('node_modules/').at(-1)))
  const wanted = packages.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  expect(wanted.filter((name) => !present.has(name))).toEqual([])
})

const isFromRegistry = (resolved?: string) =>
  resolved === undefined || resolved.startsWith('https://registry.npmjs.org/')

test('every locked package comes from the registry, with its hash', () => {
  const odd = packages.filter(
    ({ integrity, resolved, link, version }) =>
      !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ||
      !isFromRegistry(resolved) ||
      link ||
      !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version),
  )
  expect(odd).toEqual([])
})

test('no locked package depends on another by URL, by path, from git or under an alias', () => {
  const specs = packages.flatMap(({ path, dependencies = {}, optionalDependencies = {} }) =>
    Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, spec]) => ({ path, name, spec })),
  )
  expect(specs.length).toBeGreaterThan(500)
  expect(specs.filter(({ spec }) => /[/:]/.test(spec))).toEqual([])
  expect(packages.filter(({ path, name }) => !path.endsWith(`node_modules/${name}`))).toEqual([])
})

test.each(['dependencies', 'devDependencies', 'optionalDependencies'] as const)(
  'package.json names the exact versions of the lockfile in %s',
  (kind) => {
    const locked = new Map(packages.map(({ path, version }) => [path, version]))
    for (const [name, version] of Object.entries(ours[kind]))
      expect({ name, version }).toEqual({ name, version: locked.get(`node_modules/${name}`) })
  },
)

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

test('every package with an install script has a decision in allowScripts', () => {
  const withScript = packages.filter((locked) => {
    const scripts = readManifest(locked)?.scripts ?? {}
    return locked.hasInstallScript || INSTALL_SCRIPTS.some((name) => name in scripts)
  })
  expect([...new Set(withScript.map(({ name }) => name))].sort()).toEqual(Object.keys(allowScripts).sort())
  expect(Object.values(allowScripts)).not.toContain(true)
})

test('the packages are installed without running their scripts', () => {
  const bootstrap = readFileSync(join(ROOT, 'src/embedded/bootstrap.mjs'), 'utf8')
  expect(bootstrap).toMatch(/npm\(\[command, '--ignore-scripts'/)
})
