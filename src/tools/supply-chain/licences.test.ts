import { expect, test } from 'vitest'
import { isPermitted, judge, packageToJudge, staleReviews } from './licence-policy.ts'
import { npm } from './npm.ts'
import { readLockfile } from './packages.ts'

const sample = { name: 'sample', version: '1.0.0', licences: ['MIT'], files: [] }

test('every package, shipped or installed, has a permitted licence', () => {
  const packages = readLockfile().map(packageToJudge)
  expect(packages.flatMap(judge)).toEqual([])
  expect(staleReviews(packages)).toEqual([])
})

test.each([
  'AGPL-3.0-only',
  'GPL-2.0',
  'GPL-3.0-or-later WITH Classpath-exception-2.0',
  'LGPL-2.1-only',
  'SSPL-1.0',
  'BUSL-1.1',
  'MIT AND GPL-3.0-only',
  '(MIT OR ISC) AND AGPL-3.0-or-later',
  'SEE LICENSE IN LICENSE.md',
  'UNLICENSED',
  'Commercial',
  '',
])('the licence %o is refused', (expression) => {
  expect(isPermitted(expression)).toBe(false)
  expect(judge({ ...sample, licences: [expression] })).toHaveLength(1)
})

test.each(['MIT', '(GPL-2.0-only OR MIT)', 'Apache-2.0 AND BSD-3-Clause', 'MPL-2.0'])(
  'the licence %o is permitted',
  (expression) => {
    expect(judge({ ...sample, licences: [expression] })).toEqual([])
  },
)

test('a package that states no licence is refused', () => {
  expect(judge({ ...sample, licences: [] })).toHaveLength(1)
})

test('a package whose manifest disagrees with the lockfile is refused', () => {
  expect(judge({ ...sample, licences: ['MIT', 'AGPL-3.0-only'] })).toHaveLength(1)
})

test.each([
  'GNU AFFERO GENERAL PUBLIC LICENSE\n   Version 3, 19 November 2007',
  '# GNU General Public License\n\nVersion 2',
  '            GNU LESSER GENERAL PUBLIC LICENSE',
  'This program may be changed under the terms of the GNU General\nPublic License as published by …',
  'Server Side Public License\nVERSION 1',
  'Business Source License 1.1',
  '“Commons Clause” License Condition v1.0'.replaceAll(/[“”]/g, '"'),
])('a licence file that contains %o is refused, whatever the manifest says', (text) => {
  expect(judge({ ...sample, files: [{ file: 'LICENSE', text }] })).toHaveLength(1)
})

test('a reviewed package is accepted only under the reviewed licence', () => {
  const libvips = { ...sample, name: '@img/sharp-libvips-linux-x64' }
  expect(judge({ ...libvips, licences: ['LGPL-3.0-or-later'] })).toEqual([])
  expect(judge({ ...libvips, licences: ['GPL-3.0-or-later'] })).toHaveLength(1)
})

test('the bill of materials names every locked package with its hash and licence', async () => {
  const { code, output } = await npm('run', '-s', 'sbom')
  expect(code).toBe(0)
  const { bomFormat, components } = JSON.parse(output) as {
    bomFormat: string
    components: { name: string; version: string; purl: string; hashes: unknown[]; licenses: unknown[] }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  expect(readLockfile().filter(({ name, version }) => !listed.has(`${name}@${version}`))).toEqual([])
  const bare = components.filter(({ hashes, licenses, purl }) => !hashes?.length || !licenses?.length || !purl)
  expect(bare).toEqual([])
})
