import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { DEMO } from './demo.ts'
import { DETAILS, FIELDS } from './details.ts'
import { DOCUMENTS } from './documents.ts'
import { reader } from './reader.ts'

const sayWhatIsWrong = reader(DETAILS, (value) => say(value) ?? value)

/** Translates a sentence of the service into the language of the user; returns undefined if it is unknown. */
export const say = reader([...DOCUMENTS, ...DEMO])

/** Formats a detail as "Name: must not be empty". The last part of the field's path selects the label. */
export function sayDetail({ field, message }: ErrorDetail): string {
  const key = field.split('.').at(-1) ?? field
  const name = FIELDS[key] ? i18n._(FIELDS[key]) : key.replaceAll('_', ' ')
  const words = sayWhatIsWrong(message) ?? message
  return t`${name}: ${words}`
}
