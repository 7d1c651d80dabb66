/** What is wrong with a document itself: trying again would end the same way. The message is one sentence for people. */
export class DocumentFault extends Error {
  /** The document exceeded a time limit: with a higher one it may succeed. */
  readonly late: boolean

  constructor(message: string, { late = false, ...options }: ErrorOptions & { late?: boolean } = {}) {
    super(message, options)
    this.late = late
  }
}
