import pg from 'pg'
import { type Columns, NamedQuery } from './named-query.ts'
import { paceReading } from './paced-reading.ts'
import { beginStatement, endStatement } from './traced-statement.ts'

export interface NamedClientConfig extends pg.ClientConfig {
  /** Between PgBouncer in transaction mode and us: nothing of one transaction is there in the next. */
  pooled?: boolean
}

/** What PgBouncer keeps for each of its clients and sets on the connection that it lends them. */
const KEPT_BY_POOLER = { TimeZone: 'UTC', DateStyle: 'ISO', client_encoding: 'UTF8' }
/** Parameters that a server reports, at the start and when they change (libpq, `target_session_attrs`). */
const READ_ONLY = new Set(['in_hot_standby', 'default_transaction_read_only'])
const READ_ONLY_TRANSACTION = '25006'

/** Each name takes memory of the server in every connection, and statements with lists of values come in any number. */
const MOST_NAMES = 500
/** Frequent statements usually come early. The remaining names are for later ones that have been used often. */
const EARLY_NAMES = 400
const OFTEN = 100
const MOST_COUNTED = 2000

const names = new Map<string, string>()
const uses = new Map<string, number>()

/** Returns a name for a statement's text, the same in every connection, while there are names left. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES) return known
  if (names.size >= EARLY_NAMES && !isUsedOften(text)) return undefined
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

function isUsedOften(text: string): boolean {
  const count = (uses.get(text) ?? 0) + 1
  if (count >= OFTEN) return uses.delete(text)
  if (uses.size >= MOST_COUNTED) uses.clear()
  uses.set(text, count)
  return false
}

/** Names its statements, so that PostgreSQL parses and plans each one once per connection, not at every call. */
export class NamedClient extends pg.Client {
  readonly #described = new Map<string, Columns>()
  readonly #pooled: boolean
  readonly #readOnly = new Set<string>()
  #collects = false

  constructor({ pooled = false, ...config }: NamedClientConfig = {}) {
    super(config)
    this.#pooled = pooled
    // The pool listens only to idle connections. Without a listener, the loss of a connection in use would end the
    // process. Its statements fail all the same.
    this.on('error', () => {})
    const { connection } = this
    // TLS replaces the stream.
    if (this.ssl) connection.once('sslconnect', () => paceReading(connection.stream))
    else paceReading(connection.stream)
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === undefined || !READ_ONLY.has(parameterName)) return
      if (parameterValue === 'on') this.#readOnly.add(parameterName)
      else this.#readOnly.delete(parameterName)
    })
    // The primary has become a standby: the pool must not lend this connection again.
    connection.on('errorMessage', ({ code }: { code?: string }) => code === READ_ONLY_TRANSACTION && void this.end())
  }

  /** Whether the server takes no writes. A pooler does not tell: what it reports may be that of another server. */
  get isReadOnly(): boolean {
    return !this.#pooled && this.#readOnly.size > 0
  }

  getStartupConf(): Record<string, string> {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): Record<string, string> }
    const { options, ...rest } = getStartupConf.call(this)
    if (this.#pooled) return { ...rest, ...KEPT_BY_POOLER }
    return { ...rest, ...(options && { options }) }
  }

  // The overloads of `query` answer in different ways. Each of them is passed on unchanged.
  override query(...args: unknown[]): never {
    const [text, , callback] = args
    const span = typeof text === 'string' && callback === undefined ? beginStatement(text) : undefined
    const reply = this.#send(args)
    if (span) endStatement(span, reply)
    return reply
  }

  #send(args: unknown[]): never {
    const [text, values, callback] = args
    this.#collect()
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0 && callback === undefined) {
      const name = this.#pooled ? undefined : nameOf(text)
      if (name) return this.#queryNamed(name, text, values) as never
    }
    return (super.query as (...passed: unknown[]) => never).apply(this, args)
  }

  #queryNamed(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new NamedQuery(name, text, values, this.#described)
      query.callback = (error, result) => (error ? reject(error) : resolve(result))
      super.query(query)
    })
  }

  /** Writes the statements of one turn of the event loop together. */
  #collect(): void {
    if (this.#collects) return
    const { stream } = this.connection
    this.#collects = true
    stream.cork()
    process.nextTick(() => {
      this.#collects = false
      stream.uncork()
    })
  }
}
