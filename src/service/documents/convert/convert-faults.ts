import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'

export const FAULTS = {
  encrypted: DOCUMENT_REASONS.encrypted,
  damaged: DOCUMENT_REASONS.damaged_or_misnamed,
  size: DOCUMENT_REASONS.too_large_to_convert,
  time: DOCUMENT_REASONS.converting_too_long,
}
