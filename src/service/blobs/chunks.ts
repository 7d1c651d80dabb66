/** Chunks of bytes, to be sent one after the other. A chunk is valid until the second next one is requested. */
export type Chunks = AsyncIterable<Buffer>

export const CHUNK_BYTES = 512 * 1024

/** Returns two buffers alternately, so that one is filled while the other one is sent. Threads can share them. */
export function createBuffers(bytes: number): () => Buffer {
  const size = Math.min(bytes, CHUNK_BYTES)
  const made: Buffer[] = []
  let turn = 0
  return () => {
    turn = 1 - turn
    return (made[turn] ??= Buffer.from(new SharedArrayBuffer(size)))
  }
}
