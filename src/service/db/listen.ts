import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readDatabaseUrl } from '../base/database-url.ts'

export interface Listener {
  /** Whether notifications arrive. They may still get lost, such as in a connection pooler between us and PostgreSQL. */
  isOpen(): boolean
  close(): Promise<void>
}

const CONNECT_MS = 15_000
const RETRY_MS = 1000

/** Listens to a channel over a connection of its own, which it opens again after a loss. */
export function listen(databaseUrl: string, channel: string, onNotification: () => void): Listener {
  let current: pg.Client | undefined
  let isOpen = false
  const closing = new AbortController()

  async function hold(client: pg.Client): Promise<void> {
    const ended = new Promise((resolve) => client.once('end', resolve))
    // The loss of the connection is reported here first. Without a listener, it would end the process.
    client.on('error', () => {})
    client.on('notification', onNotification)
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    isOpen = true
    // Whatever happened before is not announced again.
    onNotification()
    await ended
  }

  async function keepListening(): Promise<void> {
    const { urls } = readDatabaseUrl(databaseUrl)
    // A standby refuses LISTEN, so the next server is tried.
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      current = new pg.Client({
        connectionString: urls[attempt % urls.length] ?? urls[0],
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
      })
      await hold(current).catch(() => {})
      isOpen = false
      await current.end().catch(() => {})
      await sleep(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }

  void keepListening()
  return {
    isOpen: () => isOpen,
    async close() {
      closing.abort()
      await current?.end().catch(() => {})
    },
  }
}
