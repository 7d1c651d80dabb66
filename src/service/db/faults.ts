import pg from 'pg'

/**
 * SQLSTATE of a server that is shutting down, starting or out of connections, or that ended this connection. 08P01 does
 * not count: it means a message that broke the protocol and would break it again.
 */
const AWAY = /^(08(?!P01)...|57P0[1-5]|53300|25P03)$/
const DISK_FULL = '53100'
const CANCELED = '57014'

/** Messages of `pg`, its pool and Kysely for a lost connection. None of these errors has a code. */
const LOST =
  /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying|Query read timeout|Postgres connection has been discarded|driver has already been destroyed|Cannot use a pool after)/

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
  if (error instanceof pg.DatabaseError) return AWAY.test(code)
  // The socket does not exist: the server is about to start.
  if (code === 'ENOENT') return syscall === 'connect'
  if (error instanceof AggregateError) return error.errors.every(isAway)
  return NETWORK.has(code) ? syscall !== undefined : LOST.test(error.message)
}

/** Whether a statement reached its time limit. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CANCELED
}

/** Whether the disk of the database is full. The statement is rolled back. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DISK_FULL
}
