import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'

/** How long a client may keep sending after an early reply. */
const LINGER_MS = 2000

/**
 * Discards what a client still sends after an early reply, until it ends or for a moment. Closing the connection at once
 * would reset it, and the client would lose the reply.
 */
export async function linger(incoming: Readable): Promise<void> {
  if (incoming.destroyed) return
  const isOver = new AbortController()
  const { signal } = isOver
  const gone = once(incoming.resume(), 'close', { signal })
  await Promise.race([gone, after(LINGER_MS, undefined, { signal })]).catch(() => {})
  isOver.abort()
}
