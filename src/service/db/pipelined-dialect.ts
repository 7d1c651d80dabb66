import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  PostgresDriver,
  type QueryExecutor,
  type QueryResult,
  Transaction,
} from 'kysely'
import type pg from 'pg'

/** A transaction under way on a connection. */
interface Course {
  begun: Promise<unknown>
  committed?: Promise<QueryResult<unknown>>
  /** From then on it is unknown whether the transaction happened, until the reply arrives. */
  commitSent?: boolean
}

const courses = new WeakMap<DatabaseConnection, Course>()
const connections = new WeakMap<object, DatabaseConnection>()
/** Connections to PgBouncer. */
const pooled = new WeakSet<DatabaseConnection>()

const send = (connection: DatabaseConnection, statement: string): Promise<QueryResult<unknown>> => {
  const reply = connection.executeQuery(CompiledQuery.raw(statement))
  // A failure is reported where the reply is awaited, which may be later.
  reply.catch(() => {})
  return reply
}

/** Sends a transaction's `begin` with its first statement, and its `commit` with the last ones if asked to. */
class PipelinedDriver extends PostgresDriver {
  readonly #isPooled: boolean

  constructor(pool: pg.Pool, isPooled: boolean) {
    super({ pool })
    this.#isPooled = isPooled
  }

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    const connection = await super.acquireConnection()
    if (this.#isPooled) pooled.add(connection)
    return connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    courses.set(connection, { begun: send(connection, 'begin') })
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const course = courses.get(connection)
    await course?.begun
    if (course) course.commitSent = true
    if (!course?.committed) return super.commitTransaction(connection)
    const { rows } = await course.committed
    // PostgreSQL answers so if a statement failed.
    if (JSON.stringify(rows).includes('ROLLBACK')) throw new Error('the commit was refused')
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    // A commit behind a failed statement has ended the transaction already.
    if (!(await courses.get(connection)?.committed?.catch(() => undefined))) await super.rollbackTransaction(connection)
  }
}

/** PostgreSQL with several statements under way on one connection. Needs a pool whose clients have `pipeline` on. */
export class PipelinedDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #isPooled: boolean

  /** @param isPooled whether PgBouncer in transaction mode is between the pool and PostgreSQL */
  constructor(pool: pg.Pool, isPooled: boolean) {
    super({ pool })
    this.#pool = pool
    this.#isPooled = isPooled
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver(this.#pool, this.#isPooled)
  }
}

/**
 * Returns the transaction with a connection that sends each statement at once, in the order of the calls. Kysely's own
 * sends a statement only after the reply to the one before.
 */
export async function pipelined<Schema>(tx: Transaction<Schema>): Promise<Transaction<Schema>> {
  const executor = tx.getExecutor()
  const connection = await executor.provideConnection(async (own) => own)
  const at = new Transaction<Schema>(propsFor(executor, connection as DatabaseConnection))
  connections.set(at, connection as DatabaseConnection)
  return at
}

/**
 * Does reading work on one connection: statements that do not wait for each other are sent together. If one fails, those
 * after it may fail too.
 */
export async function together<Schema, Result>(
  db: Kysely<Schema>,
  work: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db)
  const executor = db.getExecutor()
  return executor.provideConnection((connection) => {
    const one = new Kysely<Schema>(propsFor(executor, connection as DatabaseConnection))
    connections.set(one, connection as DatabaseConnection)
    return pooled.has(connection as DatabaseConnection)
      ? keepingServer(connection as DatabaseConnection, () => work(one))
      : work(one)
  })
}

/**
 * Does work in a transaction. Outside of one, PgBouncer lends the server to another client once it has answered a
 * statement, even if it has passed on a part of the next one, which is then never answered.
 */
async function keepingServer<Result>(connection: DatabaseConnection, work: () => Promise<Result>): Promise<Result> {
  void send(connection, 'begin')
  try {
    return await work()
  } finally {
    // After a failed statement it rolls back, and where the connection is lost, the work has failed already.
    await send(connection, 'commit').catch(() => {})
  }
}

export const hasSentCommit = (tx: object): boolean => {
  const connection = connections.get(tx)
  return connection !== undefined && courses.get(connection)?.commitSent === true
}

/** The connection of what `pipelined` returned or `together` passed to its work. */
export const connectionOf = (db: object): DatabaseConnection | undefined => connections.get(db)

const dialect = { createDriver: refuse, createAdapter: refuse, createIntrospector: refuse, createQueryCompiler: refuse }

const propsFor = (executor: QueryExecutor, connection: DatabaseConnection): KyselyProps => ({
  config: { dialect },
  dialect,
  driver: new PostgresDriver({ pool: refuse }),
  executor: executor.withConnectionProvider({ provideConnection: async (use) => use(connection as never) }),
})

function refuse(): never {
  throw new Error('there is only one connection')
}

/**
 * Does the last work of a transaction: sends its statements and the commit together. All statements must be sent before
 * the first reply arrives, and a refusal must not depend on the replies: they are committed by then.
 */
export async function committing<Result>(tx: object, last: () => Promise<Result>): Promise<Result> {
  const connection = connections.get(tx)
  const result = last()
  const course = connection && courses.get(connection)
  if (course && connection) Object.assign(course, { commitSent: true, committed: send(connection, 'commit') })
  return result
}
