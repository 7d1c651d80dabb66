import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

/** The thread of hash-thread.ts: one answer for each message, in their order. */

export interface HashMessage {
  hash: number
  bytes?: Uint8Array
  /** Ends the hash. The answer is its digest. */
  ends?: true
}

const hashes = new Map<number, Hash>()

parentPort?.on('message', ({ hash: id, bytes, ends }: HashMessage) => {
  const hash = hashes.get(id) ?? createHash('sha256')
  hashes.set(id, hash)
  if (bytes) hash.update(bytes)
  if (ends) hashes.delete(id)
  parentPort?.postMessage(ends && hash.digest(), [])
})
