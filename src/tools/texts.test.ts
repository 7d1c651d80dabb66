import { join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from './sources.ts'
import { textsOutside } from './texts.ts'

// Tests the catalogues of the dashboard. A static check compares them with the code.

interface Message {
  english: string
  translation: string
}

let german: Message[]

beforeAll(async () => {
  const catalogs = await getCatalogs(getConfig({ configPath: join(ROOT, 'src/tools/lingui.config.ts') }))
  const read = await Promise.all(catalogs.map((catalog) => catalog.read('de')))
  const messages = read.flatMap((catalog) => Object.entries(catalog ?? {}))
  german = messages.map(([id, { message, translation = '' }]) => ({ english: message ?? id, translation }))
})

test('every text of the dashboard is in the catalogue', () => {
  expect(textsOutside().map(({ path, line, text }) => `${path}:${line}: ${text}`)).toEqual([])
})

test('German translates every text', () => {
  expect(german.length).toBeGreaterThan(1000)
  expect(german.filter(({ translation }) => translation === '')).toEqual([])
})

test('German has one word for a workspace', () => {
  expect(german.filter(({ translation }) => /Datenraum/.test(translation)).length).toBeGreaterThan(20)
  expect(german.filter(({ translation }) => /Arbeitsbereich|Workspace(?! Admin)/.test(translation))).toEqual([])
})

test('German has the same placeholders and elements', () => {
  const places = (text: string) => [...new Set(placesIn(compileMessage(text)))].toSorted()
  const differing = german.filter(({ english, translation }) => `${places(english)}` !== `${places(translation)}`)
  expect(differing).toEqual([])
})

/** Returns every `{name}` and `<0>`, those inside plurals included. */
function placesIn(message: CompiledMessage): string[] {
  return message.flatMap((part) => {
    if (typeof part === 'string') return part.match(/<\/?\d+\/?>/g) ?? []
    const [name, , choices] = part
    const inside = choices instanceof Object ? (Object.values(choices) as CompiledMessage[]) : []
    return [`{${name}}`, ...inside.filter(Array.isArray).flatMap(placesIn)]
  })
}
