import { plural } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import Pagination from '@mui/material/Pagination'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Providers } from '../../providers.tsx'
import { speakGerman } from '../../testing/german.ts'
import { renderElement } from '../../testing/render-element.tsx'
import {
  bytes,
  calendarDate,
  dayAndMonth,
  fullDate,
  naturally,
  number,
  shortDate,
  timeAgo,
  timeOfDay,
} from './format.ts'
import { startLanguage, wantedLanguage } from './language.ts'
import { setTimeZone } from './time-zone.ts'
import { widgetTexts } from './widget-texts.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const files = (count: number) => plural(count, { one: '# file', other: '# files' })
const FILES = '{count, plural, one {# file} other {# files}}'

beforeEach(() => setTimeZone('Europe/Berlin'))
afterEach(() => setTimeZone(undefined))
afterEach(() => vi.unstubAllGlobals())

test('numbers and sizes are written as in German', () => {
  speakGerman({})
  expect(number(4812)).toBe('4.812')
  expect(bytes(8_912_345)).toBe('8,9\u00a0MB')
})

test('dates are written as in German, in the time zone of the user', () => {
  speakGerman({})
  expect(shortDate('2026-11-20T09:00:00.000Z', now)).toBe('20. Nov., 10:00')
  expect(shortDate('2025-03-02T09:00:00.000Z', now)).toBe('2. März 2025')
  expect(fullDate('2026-11-20T09:00:12.000Z')).toBe('20. November 2026 um 10:00:12 MEZ')
  expect(timeOfDay('2026-11-20T09:00:00.000Z')).toBe('10:00')
  expect(calendarDate('2026-11-20')).toBe('20. Nov. 2026')
  expect(dayAndMonth('2026-11-20')).toBe('20. Nov.')
})

test.each([
  ['2026-11-20T11:59:40.000Z', 'gerade eben'],
  ['2026-11-20T11:55:00.000Z', 'vor 5 Minuten'],
  ['2026-11-20T09:00:00.000Z', 'vor 3 Stunden'],
  ['2026-11-19T11:00:00.000Z', 'gestern'],
])('%s is %s', (timestamp, words) => {
  speakGerman({ 'just now': 'gerade eben' })
  expect(timeAgo(timestamp, now)).toBe(words)
})

test('counts agree with their noun and use the separators of the language', () => {
  speakGerman({ [FILES]: '{count, plural, one {# Datei} other {# Dateien}}' })
  expect(files(1)).toBe('1 Datei')
  expect(files(4812)).toBe('4.812 Dateien')
  const count = 4812
  const { container } = renderElement(<Plural value={count} one="# file" other="# files" />)
  expect(container.textContent).toBe('4.812 Dateien')
})

test('an untranslated text is in English, with the number format of the language', () => {
  speakGerman({})
  expect(files(4812)).toBe('4.812 files')
})

test('a sentence has the word order of its language, even with elements in it', () => {
  speakGerman({ 'Delete <0>{name}</0>?': '<0>{name}</0> löschen?' })
  const name = 'Finance'
  const { container } = renderElement(
    <Trans>
      Delete <b>{name}</b>?
    </Trans>,
  )
  expect(container.innerHTML).toContain('<b>Finance</b> löschen?')
})

test('the built-in texts of widgets are translated', () => {
  speakGerman({
    'Go to page {place}': 'Zu Seite {place}',
    'page {place}': 'Seite {place}',
    'Go to next page': 'Weiter',
  })
  render(
    <Providers widgets={widgetTexts()}>
      <Pagination count={3} page={2} />
    </Providers>,
  )
  const labels = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  expect(labels).toEqual(['Go to previous page', 'Zu Seite 1', 'Seite 2', 'Zu Seite 3', 'Weiter'])
})

test('names are sorted by the rules of the language', () => {
  speakGerman({})
  expect(['Zug', 'Öl 10', 'Öl 9', 'Adler'].toSorted(naturally)).toEqual(['Adler', 'Öl 9', 'Öl 10', 'Zug'])
})

test('the first supported language of the browser is used, unless the user chose one here', () => {
  vi.stubGlobal('navigator', { languages: ['fr-CH', 'de-CH', 'en'] })
  expect(wantedLanguage()).toBe('de')
  localStorage.setItem('language', 'en')
  expect(wantedLanguage()).toBe('en')
  localStorage.setItem('language', 'toString')
  expect(wantedLanguage()).toBe('de')
  localStorage.removeItem('language')
})

test('if storage is forbidden, the languages of the browser decide', () => {
  vi.stubGlobal('navigator', { languages: ['de'] })
  vi.stubGlobal('localStorage', undefined)
  expect(wantedLanguage()).toBe('de')
})

test('the page declares its language', async () => {
  await startLanguage('en')
  expect(document.documentElement.lang).toBe('en')
  expect(number(4812)).toBe('4,812')
})
