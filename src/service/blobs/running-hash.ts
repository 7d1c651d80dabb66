import { crc32 } from 'node:zlib'
import type { IHasher } from 'hash-wasm'

/** SHA-256 and CRC-32 of the bytes so far, in a form that can be stored. */
export interface HashState {
  /** Null before the first byte. */
  sha256_state: Buffer | null
  /** Unsigned. */
  crc32: number
}

export interface RunningHash {
  add(bytes: Buffer): void
  state(): HashState
  digest(): { sha256: Buffer; crc32: number }
}

/**
 * Continues a hash from a stored state, which Node's own hash cannot do. If another version of the library stored the
 * state, the received bytes are read again.
 */
export async function resumeHash(state: HashState, received: () => AsyncIterable<Buffer>): Promise<RunningHash> {
  const { createSHA256 } = await import('hash-wasm')
  const hasher = (await createSHA256()).init()
  if (state.sha256_state && !tryToLoad(hasher, state.sha256_state)) {
    hasher.init()
    for await (const bytes of received()) hasher.update(bytes)
  }
  let crc = state.crc32
  return {
    add(bytes) {
      hasher.update(bytes)
      crc = crc32(bytes, crc)
    },
    state: () => ({ sha256_state: Buffer.from(hasher.save()), crc32: crc }),
    digest: () => ({ sha256: Buffer.from(hasher.digest('binary')), crc32: crc }),
  }
}

function tryToLoad(hasher: IHasher, state: Buffer): boolean {
  try {
    hasher.load(state)
    return true
  } catch {
    return false
  }
}
