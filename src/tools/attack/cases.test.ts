import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../sources.ts'
import { CASES } from './cases.ts'
import { collect, idsOf } from './collect.ts'
import { attackMatrix } from './matrix.ts'

const covered = collect()

test('every attack case is listed once', () => {
  const ids = CASES.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('every attack case has a test or a reason for having none', () => {
  expect(CASES.filter(({ id, notAutomated }) => !covered.has(id) && !notAutomated).map(({ id }) => id)).toEqual([])
})

test('every id in a test title belongs to a case', () => {
  const known = new Set(CASES.map(({ id }) => id))
  expect([...covered].filter(([id]) => !known.has(id)).map(([id, files]) => [id, ...files])).toEqual([])
})

test('a title may begin with several ids', () => {
  expect(idsOf('A2, A3: a title')).toEqual(['A2', 'A3'])
  expect([idsOf('F2 renames in place'), idsOf('the case A1: elsewhere')]).toEqual([[], []])
})

test('deploy/attack-matrix.md matches the cases (npm run test:attack -- --matrix)', async () => {
  expect(await readFile(join(ROOT, 'deploy/attack-matrix.md'), 'utf8')).toBe(attackMatrix())
})
