/** A fault of a document itself: a retry would fail in the same way. The message is one sentence for users. */
export class DocumentFault extends Error {
  /** The document exceeded a time limit and may succeed with a higher one. */
  readonly late: boolean

  constructor(message: string, { late = false, ...options }: ErrorOptions & { late?: boolean } = {}) {
    super(message, options)
    this.late = late
  }
}

/** The process that read the document ended by itself, such as for lack of memory. */
export class ProcessEnded extends Error {
  constructor() {
    super('The process that read the document ended.')
  }
}
