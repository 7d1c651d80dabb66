import { createHash } from 'node:crypto'

export interface KnownFile {
  id: number
  name: string
  folder_id: number
  /** Lower-case hex, of the current version. */
  sha256: string
  version: number
  /** An act on the file got no answer, so the file is no longer used or checked. */
  unknown?: true
  deleted?: true
}

interface Count {
  /** Acknowledged acts. */
  least: number
  /** Acknowledged acts and acts without an answer. */
  most: number
}

/** Remembers every acknowledged act, by the message of its activity and audit entry. */
export class Ledger {
  readonly files = new Map<number, KnownFile>()
  readonly messages = new Map<string, Count>()
  /** `folder group` -> last acknowledged view right; undefined after a change without an answer. */
  readonly rights = new Map<string, boolean | undefined>()
  readonly requestIds: string[] = []
  acknowledged = 0
  unanswered = 0
  refused = 0

  /** @param requestId undefined after several tries, because it is unknown which of them took effect */
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
