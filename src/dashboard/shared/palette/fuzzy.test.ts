import { expect, test } from 'vitest'
import { bestFits, fit } from './fuzzy.ts'

const best = (typed: string, ...texts: string[]) => bestFits(texts, typed, (text) => text)

test('beginnings come before words within, and those before scattered letters', () => {
  expect(best('act', 'Contract', 'Go to Activity', 'Activity', 'Anchor list')).toEqual([
    'Activity',
    'Go to Activity',
    'Contract',
    'Anchor list',
  ])
})

test('initials find what is meant', () => {
  expect(best('nf', 'Select all', 'New folder', 'Infected file')[0]).toBe('New folder')
})

test('case, accents and the order of words do not matter', () => {
  expect(fit('Übersicht Umsätze', 'umsatze uber')).toBeGreaterThan(0)
})

test('letters that are not there do not fit', () => {
  expect(fit('Finance', 'legal')).toBeUndefined()
  expect(fit('Finance', '')).toBe(0)
})
