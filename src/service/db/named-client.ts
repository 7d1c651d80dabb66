import pg from 'pg'
import { type Columns, NamedQuery } from './named-query.ts'
import { paceReading } from './paced-reading.ts'

/** Statements with lists of values in their text come in any number. Frequent statements usually come early. */
const MOST_NAMES = 500

const names = new Map<string, string>()

/** Returns a name for a statement's text, the same in every connection, while there are names left. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** Names its statements, so that PostgreSQL parses and plans each one once per connection, not at every call. */
export class NamedClient extends pg.Client {
  readonly #described = new Map<string, Columns>()
  #collects = false

  constructor(config?: pg.ClientConfig) {
    super(config)
    // The pool listens only to idle connections. Without a listener, the loss of a connection in use would end the
    // process. Its statements fail all the same.
    this.on('error', () => {})
    const { connection } = this
    // TLS replaces the stream.
    if (this.ssl) connection.once('sslconnect', () => paceReading(connection.stream))
    else paceReading(connection.stream)
  }

  // The overloads of `query` answer in different ways. Each of them is passed on unchanged.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args
    this.#collect()
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0 && callback === undefined) {
      const name = nameOf(text)
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
