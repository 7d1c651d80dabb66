import { expect, test } from 'vitest'
import { bestFits, fit } from './fuzzy.ts'

const best = (typed: string, ...texts: string[]) => bestFits(texts, typed, (text) => text)

test('the start of a text ranks before the start of a word, a part of a word and scattered letters', () => {
  expect(best('act', 'Contract', 'Go to Activity', 'Activity', 'Anchor list')).toEqual([
    'Activity',
    'Go to Activity',
    'Contract',
    'Anchor list',
  ])
})

test('the initials of words find a text', () => {
  expect(best('nf', 'Select all', 'New folder', 'Infected file')[0]).toBe('New folder')
})

test('case, accents and the order of words do not matter', () => {
  expect(fit('Übersicht Umsätze', 'umsatze uber')).toBeGreaterThan(0)
})

test('a text without the typed letters does not fit', () => {
  expect(fit('Finance', 'legal')).toBeUndefined()
  expect(fit('Finance', '')).toBe(0)
})
