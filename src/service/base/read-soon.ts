import type { IncomingMessage } from 'node:http'

/** Many clients send a small body just after the head. */
const SOON_MS = 10

/** Returns a body of at most `maxBytes` that arrives at once. Leaves any other body unread, and returns undefined. */
export async function readSoon(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (!isWhole(request) && !(isSmall(request, maxBytes) && (await completes(request)))) return undefined
  if (request.readableLength > maxBytes) return undefined
  return (request.read() as Buffer | null) ?? Buffer.alloc(0)
}

/** Node tells that a request is complete only after it has given all bytes of the body. */
const isWhole = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length'])

/** A body that fills the buffer of its stream would never be complete there. */
const isSmall = ({ headers, readableHighWaterMark }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length']) <= Math.min(maxBytes, readableHighWaterMark - 1)

async function completes(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      request.off('readable', check)
      resolve(isWhole(request))
    }
    const check = () => isWhole(request) && settle()
    const timer = setTimeout(settle, SOON_MS)
    request.on('readable', check)
  })
}
