import { createHash } from 'node:crypto'

export interface KnownFile {
  id: number
  name: string
  folder_id: number
  /** Lower-case hex, of the current version. */
  sha256: string
  version: number
  /** An act upon it got no answer: nobody looks at it any more. */
  unknown?: true
  deleted?: true
}

interface Count {
  /** Acknowledged. */
  least: number
  /** Those and what got no answer. */
  most: number
}

/** Remembers every act that was acknowledged, by what its activity and its audit entry say. */
export class Ledger {
  readonly files = new Map<number, KnownFile>()
  readonly messages = new Map<string, Count>()
  /** Last answer of a right: `folder group flag` -> value; undefined after an act without an answer. */
  readonly rights = new Map<string, boolean | undefined>()
  readonly requestIds: string[] = []
  acknowledged = 0
  unanswered = 0
  refused = 0

  /** @param requestId undefined after several tries: nobody knows which of them it was */
  acknowledge(message: string, requestId: string | undefined): void {
    const count = this.#count(message)
    count.least++
    count.most++
    this.acknowledged++
    if (requestId) this.requestIds.push(requestId)
  }

  leaveOpen(message: string): void {
    this.#count(message).most++
    this.unanswered++
  }

  #count(message: string): Count {
    const count = this.messages.get(message) ?? { least: 0, most: 0 }
    this.messages.set(message, count)
    return count
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
