import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '../../contract/errors.ts'
import type { Params } from '../../contract/sentence.ts'

/** Says the rules and reasons of the service in the language of the user. */
interface ServiceWords {
  sayDetail: (detail: ErrorDetail) => string
  /** Returns undefined for an unknown row of the refusals. */
  sayRefusal: (reason: string | undefined, params: Params) => string | undefined
  /** Returns undefined for an unknown code. */
  sayReason: (code: string, params: Params) => string | undefined
}

let words: ServiceWords | undefined

/** Call this before the first text is shown. If loading fails, the service's English sentences are shown. */
export async function loadServiceWords(): Promise<void> {
  words = await import('./service-words/index.ts').catch(() => undefined)
}

/** A sentence of the service with the code that it comes from; null for a sentence that is in no table. */
interface Reason {
  reason: string
  reason_code: string | null
  reason_params: Params
}

/** Says why a document has no pages; "" without a reason. */
export const reasonInWords = ({ reason, reason_code, reason_params }: Reason): string =>
  (reason_code === null ? undefined : words?.sayReason(reason_code, reason_params)) ?? reason

interface Refusal {
  /** The row of the contract's refusals that the message comes from. */
  reason: string | undefined
  params: Params
  message: string
}

/** A refusal that this dashboard does not know yet keeps the English of the service. */
export function refusalInWords({ reason, params, message }: Refusal): string {
  // The refusal of a page says what is wrong with the document.
  const code = params['reason_code'] ?? null
  return (
    words?.sayRefusal(reason, params) ?? reasonInWords({ reason: message, reason_code: code, reason_params: params })
  )
}

/** Formats a detail as "Name: must not be empty". */
export function detailInWords(detail: ErrorDetail): string {
  if (words) return words.sayDetail(detail)
  const { field, message, rule } = detail
  if (rule === 'email') return t`This is not an e-mail address.`
  const name = (field.split('.').at(-1) ?? field).replace(/_ids?$/, '').replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${message}`
}
