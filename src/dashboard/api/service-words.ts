import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '../../contract/errors.ts'

/** Translates the service's English sentences into the language of the user. */
interface ServiceWords {
  /** Returns undefined for an unknown sentence. */
  say: (sentence: string) => string | undefined
  sayDetail: (detail: ErrorDetail) => string
}

let words: ServiceWords | undefined

/** Call this before the first text is shown. If loading fails, the service's English sentences are shown. */
export async function loadServiceWords(): Promise<void> {
  words = await import('./service-words/index.ts').catch(() => undefined)
}

/** Translates a sentence of the service; returns it unchanged if there is no translation. */
export const inWords = (sentence: string): string => words?.say(sentence) ?? sentence

/** Formats a detail as "Name: must not be empty". */
export function detailInWords(detail: ErrorDetail): string {
  if (words) return words.sayDetail(detail)
  const { field, message } = detail
  if (/^Invalid email address$/.test(message)) return t`This is not an e-mail address.`
  const name = (field.split('.').at(-1) ?? field).replace(/_ids?$/, '').replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${message}`
}
