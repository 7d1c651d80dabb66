import type { IncomingMessage } from 'node:http'

/** Many clients send a small body just after the head. */
const SOON_MS = 10

/** Returns a body of at most `maxBytes` that arrives at once. Leaves any other body unread, and returns undefined. */
export async function readSoon(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (!request.complete && !(isSmall(request, maxBytes) && (await completes(request)))) return undefined
  if (request.readableLength > maxBytes) return undefined
  return (request.read() as Buffer | null) ?? Buffer.alloc(0)
}

/** A body that fills the buffer of its stream would never be complete there. */
const isSmall = ({ headers, readableHighWaterMark }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length']) <= Math.min(maxBytes, readableHighWaterMark - 1)

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
