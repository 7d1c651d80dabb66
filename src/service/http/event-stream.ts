import { Readable } from 'node:stream'

/** Intermediaries close idle connections, so the stream sends a heartbeat. */
const HEARTBEAT_MS = 15_000
/** Milliseconds after which browsers reconnect. */
const RETRY_MS = 2000

/** Server-sent events, one for each element. Ends the iteration as soon as the reader disconnects. */
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
    // The first bytes send the headers too.
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
