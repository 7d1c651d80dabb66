import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { LongJson } from './long-reply.ts'

/** Bytes of the bodies of all processes together, and of the entry around one of them. */
const BODIES = 32 * 1024 * 1024
const ENTRY = 500
const ETAGS = 20_000

/** The latest replies that a process has made, by the states that they show (`Versioned`). */
export interface ReplyMemory {
  find(key: string): { sha1: string; bytes: Buffer | undefined } | undefined
  keep(key: string, json: LongJson): void
}

/** @param processes the number of processes of the service, which share the memory evenly */
export function createReplyMemory(processes: () => number): ReplyMemory {
  const bodies = new LRUCache<string, Buffer>({
    maxSize: BODIES,
    sizeCalculation: ({ length }) => length + ENTRY,
  })
  const hashes = new LRUCache<string, string>({ max: ETAGS })
  return {
    find(key) {
      const sha1 = hashes.get(key)
      return sha1 === undefined ? undefined : { sha1, bytes: bodies.get(key) }
    },
    keep(key, { bytes, sha1 }) {
      hashes.set(key, sha1)
      bodies.set(key, ownCopyOf(bytes))
      while (bodies.calculatedSize > BODIES / processes()) bodies.pop()
    },
  }
}

/** A small buffer is part of a larger one, which must not stay in memory with it. */
function ownCopyOf(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** A state contains names that users choose: only a hash without known collisions tells two states apart. */
export const keyOf = (state: string): string => createHash('sha256').update(state).digest('base64url')
