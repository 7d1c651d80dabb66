import { i18n } from '@lingui/core'
import type { Params } from '../../contract/sentence.ts'

/** Says a sentence of the contract's tables in the language of the user. The English sentence is its id. */
export function say(sentence: string, values: Params = {}): string {
  const message = { id: sentence, message: compiled(sentence) as unknown as string, values }
  return i18n._(message)
}

/** The English sentence as lingui compiles it: texts, and a placeholder as `[name]`. */
const compiled = (sentence: string) => sentence.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 1 ? [part] : part))
