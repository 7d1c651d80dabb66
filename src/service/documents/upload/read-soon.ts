import type { IncomingMessage } from 'node:http'

/** A body of fewer bytes is kept in memory. */
const SMALL_BYTES = 64 * 1024
/** Many clients send a small body just after the head. */
const SOON_MS = 10

/** Returns a small body that arrives at once. Leaves any other body unread, and returns undefined. */
export async function readSoon(request: IncomingMessage): Promise<Buffer | undefined> {
  if (!request.complete && !(isSmall(request) && (await completes(request)))) return undefined
  if (request.readableLength > SMALL_BYTES) return undefined
  return (request.read() as Buffer | null) ?? Buffer.alloc(0)
}

/** A body that fills the buffer of its stream would never be complete there. */
const isSmall = ({ headers, readableHighWaterMark }: IncomingMessage): boolean =>
  Number(headers['content-length']) < Math.min(SMALL_BYTES, readableHighWaterMark)

async function completes(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      request.off('readable', check)
      resolve(request.complete)
    }
    const check = () => request.complete && settle()
    const timer = setTimeout(settle, SOON_MS)
    request.on('readable', check)
  })
}
