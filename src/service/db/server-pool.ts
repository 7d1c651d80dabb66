import pg from 'pg'
import type { DatabaseServers } from '../base/database-url.ts'
import { isAway, StandbyRefused } from './faults.ts'
import { NamedClient, type NamedClientConfig } from './named-client.ts'

/** Maximum time of one attempt to connect where another server can be tried. */
const ATTEMPT_MS = 3000
/** A connection that fails at once is tried again, because a pooler or proxy in front may pick another server. */
const PATIENCE_MS = 500

/** All connections are in use: another server would not change that. */
const isBusy = (error: unknown) => (error as Error).message.startsWith('timeout exceeded when trying')

export class ServerPool extends pg.Pool {
  readonly #urls: readonly string[]
  #current: { at: number }

  /** @param takesStandby otherwise a server that takes no writes is refused */
  constructor({ urls, pooled }: DatabaseServers, options: pg.PoolConfig, takesStandby = false) {
    const current = { at: 0 }
    const attempt = urls.length > 1 ? { connectionTimeoutMillis: ATTEMPT_MS } : {}
    super({
      ...options,
      Client: class extends NamedClient {
        constructor(config?: NamedClientConfig) {
          super({ ...config, ...attempt, connectionString: urls[current.at] ?? urls[0], pooled })
        }
      },
      onConnect(client) {
        if (!takesStandby && (client as NamedClient).isReadOnly) throw new StandbyRefused()
      },
    })
    this.#urls = urls
    this.#current = current
  }

  /** Nothing has been sent on a connection that fails to open: another one may be tried for any statement. */
  override async connect(callback?: unknown): Promise<never> {
    if (callback) throw new Error('callbacks are not supported')
    const start = Date.now()
    for (let attempt = 1; ; attempt++) {
      const { at } = this.#current
      try {
        return (await super.connect()) as never
      } catch (error) {
        if (!isAway(error) || isBusy(error)) throw error
        if (this.#current.at === at) this.#current.at = (at + 1) % this.#urls.length
        if (attempt > this.#urls.length || (attempt === this.#urls.length && Date.now() - start > PATIENCE_MS))
          throw error
      }
    }
  }
}
