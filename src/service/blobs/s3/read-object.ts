import { storageAway } from '../../base/errors.ts'
import type { OpenBlob, Range } from '../blob-store.ts'
import type { Bucket } from './bucket.ts'

/** Attempts in succession that yield no byte. */
const ATTEMPTS = 3

/**
 * Opens an object for reads. Reads in sequence share one request, which begins again where it broke off: a truncated
 * answer must not look like damaged content. @param range the bytes that will be read; it spares a request
 */
export async function openObject(bucket: Bucket, key: string, range?: Range): Promise<OpenBlob | undefined> {
  const first = range && range.end >= range.start ? await bucket.get(key, range) : undefined
  const size = first?.total ?? (await bucket.sizeOf(key))
  if (size === undefined) return undefined
  const last = Math.min(range?.end ?? size - 1, size - 1)
  const stream = createStream(bucket, key)
  if (first && range) stream.adopt(first.body, range.start)
  return {
    size,
    read: (into, position) => readAt(stream, into, { position, last: Math.max(last, position), size }),
    close: async () => stream.end(),
  }
}

/** Reads the first bytes, and closes. @throws ApiError 503 if there are fewer */
export async function readBytes(blob: OpenBlob, count: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(count)
  const filled = await blob.read(bytes, 0).finally(() => blob.close())
  if (filled !== count) throw storageAway()
  return bytes
}

/** @throws ApiError 503 unless there are exactly these bytes */
export async function readWhole(bucket: Bucket, key: string, size: number): Promise<Buffer> {
  const found = await openObject(bucket, key, { start: 0, end: size - 1 })
  if (found?.size !== size) throw storageAway()
  return readBytes(found, size)
}

interface Place {
  position: number
  /** The last byte that is worth requesting. */
  last: number
  size: number
}

async function readAt(stream: Stream, into: Uint8Array, { position, last, size }: Place): Promise<number> {
  const wanted = Math.max(0, Math.min(into.length, size - position))
  let filled = 0
  let attempts = 0
  while (filled < wanted) {
    const end = Math.max(last, position + wanted - 1)
    const count = await stream.read(into.subarray(filled, wanted), { start: position + filled, end })
    filled += count
    attempts = count > 0 ? 0 : attempts + 1
    if (attempts === ATTEMPTS) throw storageAway()
  }
  return filled
}

interface Stream {
  adopt(body: AsyncIterable<Uint8Array>, position: number): void
  /** Reads some bytes at the start of the range. @returns 0 if the request ended or broke off */
  read(into: Uint8Array, range: Range): Promise<number>
  end(): void
}

function createStream(bucket: Bucket, key: string): Stream {
  let chunks: AsyncIterator<Uint8Array> | undefined
  let rest: Uint8Array = new Uint8Array()
  let at = 0

  function end(): void {
    // A stream that failed has nothing to tell any more.
    chunks?.return?.().catch(() => {})
    chunks = undefined
    rest = new Uint8Array()
  }

  function adopt(body: AsyncIterable<Uint8Array>, position: number): void {
    chunks = body[Symbol.asyncIterator]()
    at = position
  }

  async function request(range: Range): Promise<void> {
    end()
    const found = await bucket.get(key, range)
    if (!found) throw storageAway()
    adopt(found.body, range.start)
  }

  /** @returns whether there are bytes */
  async function refill(): Promise<boolean> {
    if (rest.length > 0) return true
    const next = await chunks?.next().catch(() => undefined)
    if (next && !next.done) rest = next.value
    else end()
    return rest.length > 0
  }

  return {
    adopt,
    end,
    async read(into, range) {
      if (!chunks || at !== range.start) await request(range)
      if (!(await refill())) return 0
      const count = Math.min(into.length, rest.length)
      into.set(rest.subarray(0, count))
      rest = rest.subarray(count)
      at += count
      return count
    },
  }
}
