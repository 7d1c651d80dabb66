/** Sentences that tell users why a document could not be converted. */
export const FAULTS = {
  encrypted: 'The document is protected by a password.',
  damaged: 'The document is damaged, or of another kind than its name says.',
  size: 'The document is too large for a preview.',
  time: 'The document took too long to convert.',
  memory: 'The document needs more memory than it may have.',
  machine: 'The server had too little memory for this document, in several attempts.',
}
