import { expect, test } from 'vitest'
import { ApiError } from '../../base/errors.ts'
import { freeName, keepExtension } from './file-names.ts'

test.each([
  ['Plan', 'a.pdf', 'Plan.pdf'],
  ['Plan.pdf', 'a.pdf', 'Plan.pdf'],
  ['Plan.PDF', 'a.pdf', 'Plan.PDF'],
  ['Plan.exe', 'a.pdf', 'Plan.exe.pdf'],
  ['Plan v1.2', 'a.pdf', 'Plan v1.2.pdf'],
  ['Plan', 'README', 'Plan'],
  ['Plan', '.profile', 'Plan'],
])('the title %s of the file %s becomes %s', (title, fileName, expected) => {
  expect(keepExtension(title, fileName)).toBe(expected)
})

test('a name is numbered before its extension until it is free', () => {
  const taken = new Set(['a.pdf', 'a (2).pdf', 'b'])
  expect(['a.pdf', 'b', 'c.pdf'].map((name) => freeName(name, taken))).toEqual(['a (3).pdf', 'b (2)', 'c.pdf'])
})

test('a numbered name stays within the maximum length', () => {
  const name = `${'x'.repeat(251)}.pdf`
  const numbered = freeName(name, new Set([name]))
  expect([numbered.length, numbered.endsWith('x (2).pdf')]).toEqual([255, true])
})

test('a numbered name is cut between characters, and a very long ending is part of the name', () => {
  const name = `${'😀'.repeat(127)}a`
  const taken = new Set([name])
  for (let copies = 1; copies <= 20; copies++) taken.add(freeName(name, taken))
  expect([...taken].every((each) => each.isWellFormed() && each.length <= 255)).toBe(true)
  expect(taken.size).toBe(21)
  expect(freeName(`a.${'x'.repeat(253)}`, new Set([`a.${'x'.repeat(253)}`]))).toHaveLength(255)
})

test('a title that is too long with its extension is refused', () => {
  expect(() => keepExtension('x'.repeat(252), 'a.pdf')).toThrow(ApiError)
  expect(keepExtension('x'.repeat(251), 'a.pdf')).toHaveLength(255)
})
