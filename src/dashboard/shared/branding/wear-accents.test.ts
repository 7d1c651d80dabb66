import { afterEach, expect, test } from 'vitest'
import {
  contrastBetween,
  isReadable,
  readableIn,
  SCHEMES,
  SURFACES,
  textOn,
} from '../../../contract/endpoints/looks/accents.ts'
import { makeTheme } from '../../theme.ts'
import { wearAccents } from './wear-accents.ts'

const before = document.adoptedStyleSheets
afterEach(() => void (document.adoptedStyleSheets = before))

const rulesNow = () => document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))

test('accents are values of the theme for their scheme, and are taken off again', () => {
  const takeOff = wearAccents({ accent_light: '#7a1f3d', accent_dark: null })
  expect(rulesNow().join()).toMatch(/data-scheme=['"]light.*--sr-palette-primary-main: #7a1f3d/s)
  expect(rulesNow().join()).toContain('--sr-palette-primary-contrastText: #ffffff')
  expect(rulesNow().join()).not.toMatch(/scheme=.dark/)
  takeOff()
  expect(rulesNow()).toEqual([])
})

test.each(['red;}', '#7a1f3d} * { display: none', 'url(//evil.example)'])('K98: %s reaches no style', (accent) => {
  wearAccents({ accent_light: accent, accent_dark: accent })
  expect(rulesNow()).toEqual([])
})

test('the surfaces that accents are judged by are those of the theme', () => {
  for (const scheme of SCHEMES) {
    const { background, selection } = makeTheme().colorSchemes?.[scheme]?.palette ?? {}
    expect(SURFACES[scheme].toSorted()).toEqual([background?.default, background?.paper, selection?.row].toSorted())
  }
})

test('the nearest readable colour is readable, and so is the text on any', () => {
  for (const colour of ['#ffcc00', '#808080', '#0000ff', '#ffffff', '#000000', '#7a1f3d'])
    for (const scheme of SCHEMES) {
      const readable = readableIn(scheme, colour)
      expect(isReadable(scheme, readable)).toBe(true)
      expect(contrastBetween(readable, textOn(readable))).toBeGreaterThanOrEqual(4.5)
    }
})
