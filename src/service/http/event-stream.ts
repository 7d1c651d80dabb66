import { Readable } from 'node:stream'

/** What lies between closes connections on which nothing moves. */
const HEARTBEAT_MS = 15_000
/** After which browsers come back. */
const RETRY_MS = 2000

/** Server-sent events, one for each element. Ends the iteration as soon as the reader has gone. */
export function eventStream(events: AsyncIterator<unknown>): Readable {
  let wanted: () => void = () => {}
  const beat = setInterval(() => stream.readableLength === 0 && stream.push(':\n\n'), HEARTBEAT_MS)
  const stream = new Readable({
    read: () => wanted(),
    destroy(error, done) {
      clearInterval(beat)
      wanted()
      void events.return?.()
      done(error)
    },
  })
  async function pass(): Promise<void> {
    // The first bytes bring the headers along.
    stream.push(`retry: ${RETRY_MS}\n\n`)
    for (;;) {
      const { done, value } = await events.next()
      if (stream.destroyed) return
      if (done) break
      if (!stream.push(`data: ${JSON.stringify(value)}\n\n`)) await new Promise<void>((resolve) => (wanted = resolve))
    }
    clearInterval(beat)
    stream.push(null)
  }
  pass().catch((error: unknown) => stream.destroy(error as Error))
  return stream
}
