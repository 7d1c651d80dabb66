import { join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from './sources.ts'
import { textsOutside } from './texts.ts'

// The catalogues of the dashboard; that they have what the code says is among the static checks.

interface Message {
  english: string
  translation: string
}

let german: Message[]

beforeAll(async () => {
  const [catalog] = await getCatalogs(getConfig({ configPath: join(ROOT, 'src/tools/lingui.config.ts') }))
  const messages = Object.values((await catalog?.read('de')) ?? {})
  german = messages.map(({ message = '', translation = '' }) => ({ english: message, translation }))
})

test('every text of the dashboard is in the catalogue', () => {
  expect(textsOutside().map(({ path, line, text }) => `${path}:${line}: ${text}`)).toEqual([])
})

test('German says all of it', () => {
  expect(german.length).toBeGreaterThan(1000)
  expect(german.filter(({ translation }) => translation === '')).toEqual([])
})

test('German has the same names, numbers and elements in it', () => {
  const places = (text: string) => [...new Set(placesIn(compileMessage(text)))].toSorted()
  const differing = german.filter(({ english, translation }) => `${places(english)}` !== `${places(translation)}`)
  expect(differing).toEqual([])
})

/** `{name}`, also inside of plurals, and `<0>`. */
function placesIn(message: CompiledMessage): string[] {
  return message.flatMap((part) => {
    if (typeof part === 'string') return part.match(/<\/?\d+\/?>/g) ?? []
    const [name, , choices] = part
    const inside = choices instanceof Object ? (Object.values(choices) as CompiledMessage[]) : []
    return [`{${name}}`, ...inside.filter(Array.isArray).flatMap(placesIn)]
  })
}
