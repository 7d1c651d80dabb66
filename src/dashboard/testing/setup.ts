// Before React is loaded.
import './renders.ts'
import { i18n } from '@lingui/core'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine must not fail the tests.
configure({ asyncUtilTimeout: 50_000 })

i18n.loadAndActivate({ locale: 'en', locales: ['en-GB'], messages: {} })

afterEach(cleanup)

// React only warns of siblings with one key, of which it may lose one.
const { error } = console
console.error = (...words: unknown[]) => {
  if (String(words[0]).includes('same key')) throw new Error(words.join(' '))
  error(...words)
}

// happy-dom has no layout, and a virtual list without a height shows no rows.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { configurable: true, value: 1200 },
  clientHeight: { configurable: true, value: 800 },
})
