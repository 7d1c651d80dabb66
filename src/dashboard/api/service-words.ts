import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '../../contract/errors.ts'

/** The service speaks English; these are its sentences in the language of the person, where that is another. */
interface ServiceWords {
  /** Undefined for a sentence that is not known. */
  say: (sentence: string) => string | undefined
  sayDetail: (detail: ErrorDetail) => string
}

let words: ServiceWords | undefined

/** Before the first text is shown. Without them the service's own sentences are. */
export async function loadServiceWords(): Promise<void> {
  words = await import('./service-words/index.ts').catch(() => undefined)
}

/** What the service says; as it says it where there is no translation. */
export const inWords = (sentence: string): string => words?.say(sentence) ?? sentence

/** "Name: must not be empty". */
export function detailInWords(detail: ErrorDetail): string {
  if (words) return words.sayDetail(detail)
  const { field, message } = detail
  if (/^Invalid email address$/.test(message)) return t`This is not an e-mail address.`
  const name = (field.split('.').at(-1) ?? field).replace(/_ids?$/, '').replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${message}`
}
