import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { type DatabaseServers, readDatabaseUrl } from '../base/database-url.ts'
import { PipelinedDialect } from './pipelined-dialect.ts'
import type { DB as Schema } from './schema.ts'
import { ServerPool } from './server-pool.ts'

/** Either the pool or a transaction. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

const TYPE = { int8: 20, date: 1082, timestamptz: 1184 } as const

/** '2026-11-21 06:47:14.5+00' -> '2026-11-21T06:47:14.500Z'. The connection's time zone is UTC. */
function isoTimestamp(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(11, -3).split('.')
  return `${text.slice(0, 10)}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const parsers: Record<number, (text: string) => unknown> = {
  [TYPE.int8]: Number,
  [TYPE.date]: (text) => text,
  [TYPE.timestamptz]: isoTimestamp,
}

/**
 * Settings for many short statements at a time: JIT compilation and parallel workers cost more than they save. A
 * connection keeps its plans. One that reads a whole table, made while the table was small, would do so when it is large.
 * Times are in milliseconds, as in `pg_settings`. PgBouncer omits all of these but the time zone.
 */
export const SETTINGS = {
  timezone: 'UTC',
  statement_timeout: '60000',
  idle_in_transaction_session_timeout: '60000',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  enable_seqscan: 'off',
}

/** A statement ends on the server before this, unless the server or the network has stopped. 0 means no limit. */
const ANSWER_MS = 70_000
/** Maximum wait for a free or new connection. */
const CONNECT_MS = 15_000
const IDLE_MS = 40_000
/** Shorter than the pauses of an idle worker, whose connections would take some 20 MiB each for as long as they are kept. */
const WORKER_IDLE_MS = 3000
/** A lost peer is noticed some 10 seconds later, by unanswered probes. */
const PROBE_AFTER_MS = 10_000

/** A replica that does not answer must not delay readers for long: the primary answers instead. */
const REPLICA = { max: 20, connectionTimeoutMillis: 2000, query_timeout: 10_000 }

/** @param databaseUrl as `readDatabaseUrl` reads it */
export const openPool = (databaseUrl: string, max = 20, answerMs = ANSWER_MS): Db =>
  open(readDatabaseUrl(databaseUrl), { max, connectionTimeoutMillis: CONNECT_MS, query_timeout: answerMs })

/**
 * For a program that looks for work all the time. PostgreSQL keeps what it learned of each table and statement that a
 * connection used, some 20 MiB after a few kinds of work, so its connections are renewed.
 */
export const openWorkerPool = (databaseUrl: string, max: number, maxLifetimeSeconds = 120): Db =>
  open(readDatabaseUrl(databaseUrl), {
    max,
    maxLifetimeSeconds,
    idleTimeoutMillis: WORKER_IDLE_MS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  })

export const openReplicaPool = (databaseUrl: string): Db => open(readDatabaseUrl(databaseUrl), REPLICA, true)

function open(servers: DatabaseServers, limits: pg.PoolConfig, takesStandby = false): Db {
  const pool = new ServerPool(
    servers,
    {
      idleTimeoutMillis: IDLE_MS,
      ...limits,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      options: Object.entries(SETTINGS)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          format !== 'binary' && parsers[oid] ? parsers[oid] : pg.types.getTypeParser(oid, format),
      },
    },
    takesStandby,
  )
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Schema>({ dialect: new PipelinedDialect(pool, servers.pooled) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Db, pg.Pool>()

export const poolOf = (db: Db): pg.Pool | undefined => pools.get(db)

/** The numbers of open connections, of idle ones, and of requests that wait for one. */
export function poolVitals(db: Db): Record<string, number> {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {}
  return { connections: totalCount, idle_connections: idleCount, waiting: waitingCount }
}
