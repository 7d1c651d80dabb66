import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '../blobs/blob-store.ts'

/** A probe must answer soon, and many probes must not become many requests to the store. */
const PATIENCE_MS = 2000
const KNOWN_MS = 5000

/**
 * Returns a function that says what is wrong with the content store. The node stays ready: every node has the same
 * store, and most requests need no content.
 */
export function createStorageWarning(blobs: Pick<BlobStore, 'requirePresent'>): () => Promise<string[]> {
  let known: Promise<string[]> = Promise.resolve([])
  let lookedAt = -Infinity
  return async () => {
    if (performance.now() - lookedAt > KNOWN_MS) {
      lookedAt = performance.now()
      const away = ['The content store is away: uploads and downloads are refused until it is back.']
      known = Promise.race([
        blobs.requirePresent().then(
          () => [],
          () => away,
        ),
        sleep(PATIENCE_MS, away, { ref: false }),
      ])
    }
    return known
  }
}
