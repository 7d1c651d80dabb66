import type * as z from 'zod/v4/core'
import { brokenRule, type BrokenRule, messageOf, ruleSaying } from '../../contract/field-rules.ts'
import type { ErrorDetail } from './errors.ts'

/** The detail of an issue that a schema has with a value. */
export function detailOfIssue(issue: z.$ZodIssue): ErrorDetail {
  const broken = ruleSaying(issue.message) ?? ruleOf(issue)
  return { field: issue.path.join('.'), message: messageOf(broken), ...broken }
}

const FORMATS = new Map<string, 'email' | 'iso_date' | 'iso_datetime' | 'uuid'>([
  ['email', 'email'],
  ['date', 'iso_date'],
  ['datetime', 'iso_datetime'],
  ['uuid', 'uuid'],
])

/** The rule of a check without a sentence of the contract. */
function ruleOf(issue: z.$ZodIssue): BrokenRule {
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return brokenRule('option', { options: issue.values.map((value) => JSON.stringify(value)).join('|') })
    case 'invalid_format':
      return brokenRule(FORMATS.get(issue.format) ?? 'valid_input')
    case 'not_multiple_of':
      return brokenRule('multiple', { divisor: issue.divisor })
    default:
      return brokenRule('valid_input')
  }
}

function tooSmall({ origin, minimum }: z.$ZodIssueTooSmall): BrokenRule {
  if (origin === 'string') return brokenRule('text_not_empty')
  if (origin === 'array') return brokenRule('list_not_empty')
  return brokenRule('minimum', { limit: String(minimum) })
}

function tooBig({ origin, maximum }: z.$ZodIssueTooBig): BrokenRule {
  return brokenRule(origin === 'string' ? 'max_text_length' : 'maximum', { limit: String(maximum) })
}
