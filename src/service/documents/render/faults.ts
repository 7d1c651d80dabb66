import { DocumentFault } from './fault.ts'

const FAULTS = {
  encrypted: 'The document is protected by a password.',
  damaged: 'The document is damaged and cannot be read.',
  empty: 'The document has no pages.',
  pages: 'The document has too many pages.',
  pixels: 'The image has more pixels than can be shown.',
  size: 'A document of more than 2 GB cannot be shown.',
  time: 'The document took too long to read.',
  crash: 'The document is damaged, or asks for more than it may have.',
  memory: 'The document needs more memory than it may have.',
}

export type Fault = keyof typeof FAULTS

/** A fault of a document that was found while rendering it. */
export class RenderFault extends DocumentFault {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(FAULTS[fault], { late: fault === 'time' })
    this.fault = fault
  }
}
