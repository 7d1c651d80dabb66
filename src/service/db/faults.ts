import pg from 'pg'

/**
 * SQLSTATE of a server that is shutting down, starting, out of connections or a standby, or that ended this connection.
 * 08P01 does not count: it means a message that broke the protocol and would break it again.
 */
const AWAY = /^(08(?!P01)...|57P0[1-5]|53300|25P03|25006)$/
const DISK_FULL = '53100'
const CANCELED = '57014'

/** PgBouncer reports all of its own failures as 08P01, such as "server conn crashed?" after the loss of the server. */
const POOLER_MISCONFIGURED = /^(unsupported|no such|not allowed|bouncer config|password|SASL)|authentication failed/i

/** Messages of `pg`, its pool and Kysely for a lost connection. None of these errors has a code. */
const LOST =
  /^(Connection terminated|Client network socket disconnected before secure TLS|There was an error establishing an SSL|Client (has encountered|was closed)|timeout exceeded when trying|Query read timeout|Postgres connection has been discarded|driver has already been destroyed|Cannot use a pool after)/

/** The server is a standby of the primary that the service needs. */
export class StandbyRefused extends Error {
  constructor() {
    super('it is a standby, which takes no writes')
  }
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
])

/** Whether the database could not be reached, or went away before it answered: then it is unknown whether it acted. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (error instanceof pg.DatabaseError) return AWAY.test(code) || isPoolerAway(error)
  // The socket does not exist: the server is about to start.
  if (code === 'ENOENT') return syscall === 'connect'
  if (error instanceof StandbyRefused) return true
  if (error instanceof AggregateError) return error.errors.every(isAway)
  return NETWORK.has(code) ? syscall !== undefined : LOST.test(error.message)
}

/** PostgreSQL names the routine in which an error arose; PgBouncer does not. */
const isPoolerAway = ({ code, routine, message }: pg.DatabaseError): boolean =>
  code === '08P01' && routine === undefined && !POOLER_MISCONFIGURED.test(message)

/** Whether a statement reached its time limit. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CANCELED
}

/** Whether the disk of the database is full. The statement is rolled back. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DISK_FULL
}
