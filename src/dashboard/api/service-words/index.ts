import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { FIELD_RULES, isFieldRule } from '../../../contract/field-rules.ts'
import { isShownReason, SHOWN_REFUSALS } from '../../../contract/refusals.ts'
import type { Params } from '../../../contract/sentence.ts'
import { DOCUMENT_REASONS, type DocumentReason } from '../../../contract/shown-sentences.ts'
import { say } from '../say.ts'
import { FIELDS } from './fields.ts'

/** Says why a call was refused; undefined for an unknown refusal. */
export const sayRefusal = (reason: string | undefined, params: Params): string | undefined =>
  isShownReason(reason) ? say(SHOWN_REFUSALS[reason].sentence, params) : undefined

/** Says why a document has no pages; undefined for an unknown code. */
export function sayReason(code: string, params: Params): string | undefined {
  return isDocumentReason(code) ? say(DOCUMENT_REASONS[code], params) : undefined
}

const isDocumentReason = (code: string): code is DocumentReason => Object.hasOwn(DOCUMENT_REASONS, code)

/** Formats a detail as "Name: must not be empty". The last part of the field's path selects the label. */
export function sayDetail({ field, message, rule, params = {} }: ErrorDetail): string {
  const key = field.split('.').at(-1) ?? field
  const name = FIELDS[key] ? i18n._(FIELDS[key]) : key.replaceAll('_', ' ')
  const words = isFieldRule(rule) ? say(FIELD_RULES[rule], withReasonInWords(params)) : message
  return t`${name}: ${words}`
}

/** The reason why a document cannot be marked is a parameter of a rule. */
function withReasonInWords({ reason_code = '', ...params }: Params): Params {
  const reason = sayReason(reason_code, params)
  return reason === undefined ? params : { ...params, reason }
}
