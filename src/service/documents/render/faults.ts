import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import { DocumentFault } from './fault.ts'

const FAULTS = {
  encrypted: DOCUMENT_REASONS.encrypted,
  damaged: DOCUMENT_REASONS.damaged,
  empty: DOCUMENT_REASONS.no_pages,
  form: DOCUMENT_REASONS.dynamic_form,
  pages: DOCUMENT_REASONS.too_many_pages,
  pixels: DOCUMENT_REASONS.too_many_pixels,
  size: DOCUMENT_REASONS.too_large,
  time: DOCUMENT_REASONS.reading_too_long,
  crash: DOCUMENT_REASONS.damaged_or_excessive,
  memory: DOCUMENT_REASONS.needs_too_much_memory,
}

export type Fault = keyof typeof FAULTS

export class RenderFault extends DocumentFault {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(FAULTS[fault], { late: fault === 'time' })
    this.fault = fault
  }
}
