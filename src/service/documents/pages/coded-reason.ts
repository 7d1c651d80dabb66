import { type Params, partsOf, readParams } from '../../../contract/sentence.ts'
import { DOCUMENT_REASONS, type DocumentReason } from '../../../contract/shown-sentences.ts'

interface Told {
  code: DocumentReason
  params: Params
}

const sentences = Object.entries(DOCUMENT_REASONS).map(([code, sentence]) => ({
  code: code as DocumentReason,
  parts: partsOf(sentence),
}))
const whole = new Map<string, DocumentReason>(
  sentences.flatMap(({ code, parts }) => (parts.length === 1 ? [[parts.join(''), code] as const] : [])),
)
const withParams = sentences.filter(({ parts }) => parts.length > 1)

/** The database keeps sentences only. Returns undefined for a sentence that the table does not have, or no longer. */
function toldBy(sentence: string): Told | undefined {
  const code = whole.get(sentence)
  if (code) return { code, params: {} }
  for (const { code, parts } of withParams) {
    const params = readParams(parts, sentence)
    if (params) return { code, params }
  }
  return undefined
}

/** A reason for replies, with its code and the parameters of its sentence. */
export function codedReason(reason: string) {
  const told = toldBy(reason)
  return { reason, reason_code: told?.code ?? null, reason_params: told?.params ?? {} }
}

/** The code and the parameters of a reason, for parameters of a refusal that quotes the reason. */
export function reasonParams(reason: string): Params {
  const told = toldBy(reason)
  return told ? { ...told.params, reason_code: told.code } : {}
}
