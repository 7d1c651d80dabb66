import pg from 'pg'

/** How the rows of a statement are read: members of a result of `pg`. */
export interface Columns {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** The class as it is, including the members that its types leave out. */
interface QueryOfPg extends pg.Submittable {
  name: string
  values: unknown[]
  callback: (error: Error | null, result: pg.QueryResult) => void
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: pg.Connection): void
  handleRowDescription(message: unknown): void
}

const QueryOfPg = pg.Query as unknown as new (text: string) => QueryOfPg

/**
 * A call of a named statement. PostgreSQL describes the statement's columns at its first call on a connection only: they
 * never change, because PostgreSQL refuses to run a prepared statement whose columns would be others.
 */
export class NamedQuery extends QueryOfPg {
  readonly #described: Map<string, Columns>

  /** @param described the columns of the connection's statements by name; the first call adds its own */
  constructor(name: string, text: string, values: unknown[], described: Map<string, Columns>) {
    super(text)
    this.name = name
    this.values = values
    this.#described = described
  }

  override prepare(connection: pg.Connection): void {
    const columns = this.#described.get(this.name)
    if (!columns) return super.prepare(connection)
    this._result.fields = columns.fields
    this._result._parsers = columns._parsers
    this._result._prebuiltEmptyResultObject = columns._prebuiltEmptyResultObject
    this._accumulateRows = true
    super.prepare(withoutDescribe(connection))
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#described.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

const silent = new WeakMap<pg.Connection, pg.Connection>()

/** The same connection, on which `describe` sends nothing. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  const known = silent.get(connection)
  if (known) return known
  const made = Object.create(connection, { describe: { value: () => {} } }) as pg.Connection
  silent.set(connection, made)
  return made
}
