import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Gauge } from '../../../wire/metrics/open-metrics.ts'
import { isLiveSession } from '../../auth/session-life.ts'
import { type Db, poolVitals } from '../../db/pool.ts'
import type { Replica } from '../../db/replica.ts'
import { JOB_KINDS } from '../../jobs/queue.ts'
import { readBackupHealth } from './backups.ts'
import { countDamageByKind } from './content-health.ts'
import { readUnscannedTerms } from './scan-health.ts'

/** Seconds for which a reading of the database serves all who ask. */
const QUEUE_SECONDS = 10
const SESSIONS_SECONDS = 60
/** A count ends here, so that no reading takes long. */
const MOST_COUNTED = 100_000
/** What has not answered by then counts as away. */
const ANSWER_MS = 2000

export function poolGauges(db: Db): Record<string, Gauge> {
  return {
    db_connections: {
      help: 'Connections to the database, by state',
      labels: ['state'],
      read() {
        const { connections = 0, idle_connections: idle = 0 } = poolVitals(db)
        return [
          [{ state: 'used' }, connections - idle],
          [{ state: 'idle' }, idle],
        ]
      },
    },
    db_waiting: {
      help: 'Requests that wait for a connection to the database',
      read: () => [[{}, poolVitals(db)['waiting'] ?? 0]],
    },
  }
}

/** Of a service with a replica. */
export function replicaGauges(replica: Replica): Record<string, Gauge> {
  const readLag = shared(() => inTime(replica.lag(), undefined))
  return {
    replica_up: {
      help: 'Whether the replica answers and follows this database: 1 or 0',
      read: async () => [[{}, (await readLag().catch(() => undefined)) === undefined ? 0 : 1]],
    },
    replica_lag_seconds: {
      help: 'Time for which the replica lacks changes; absent while it does not answer',
      async read() {
        const lag = await readLag()
        return lag === undefined ? [] : [[{}, lag]]
      },
    },
  }
}

export function installationGauges(db: Db): Record<string, Gauge> {
  const readQueue = remembered(QUEUE_SECONDS, () => readQueueDepth(db))
  const readSessions = remembered(SESSIONS_SECONDS, () => countSessions(db))
  const readTerms = remembered(QUEUE_SECONDS, () => readUnscannedTerms(db))
  const readDamage = remembered(QUEUE_SECONDS, () => countDamageByKind(db, MOST_COUNTED))
  const readBackups = remembered(QUEUE_SECONDS, () => readBackupHealth(db))
  const ofKinds = (help: string, field: 'waiting' | 'parked' | 'age'): Gauge => ({
    help,
    labels: ['kind'],
    read: async () => (await readQueue()).map((row) => [{ kind: row.kind }, row[field]]),
  })
  return {
    jobs_waiting: ofKinds('Jobs that are due, running or planned, by kind', 'waiting'),
    jobs_parked: ofKinds('Jobs that failed in every attempt, by kind', 'parked'),
    job_age_seconds: ofKinds('Time for which the oldest due job has waited for a worker, by kind', 'age'),
    terms_unscanned: {
      help: 'PDFs of terms that wait for a scan',
      read: async () => [[{}, (await readTerms()).files]],
    },
    terms_unscanned_age_seconds: {
      help: 'Time for which the oldest of them has waited',
      read: async () => [[{}, (await readTerms()).age]],
    },
    sessions: { help: 'Live sessions of the dashboard', read: async () => [[{}, await readSessions()]] },
    content_damaged: {
      help: 'Stored contents that were found missing, of another length or of other bytes, when last compared',
      labels: ['damage'],
      read: async () => (await readDamage()).map(({ damage, contents }) => [{ damage }, contents]),
    },
    backup_age_seconds: {
      help: 'Time since the newest recorded backup that succeeded began; absent without one',
      async read() {
        const age = (await readBackups())?.age
        return typeof age === 'number' ? [[{}, age]] : []
      },
    },
    backup_failed: {
      help: 'Whether the newest recorded backup failed: 1 or 0; absent if none is recorded',
      async read() {
        const health = await readBackups()
        return health ? [[{}, health.failure === null ? 0 : 1]] : []
      },
    },
  }
}

export interface QueueDepth {
  kind: string
  waiting: number
  parked: number
  age: number
}

/** Reads indexes only: a queue of a million jobs costs no more than one of a hundred thousand. */
export async function readQueueDepth(db: Db): Promise<QueueDepth[]> {
  const { rows } = await sql<QueueDepth>`
    select kind,
      (select count(*) from (select from jobs where jobs.kind = kinds.kind and parked_at is null
        limit ${MOST_COUNTED}) counted) as waiting,
      (select count(*) from (select from jobs where jobs.kind = kinds.kind and parked_at is not null
        limit ${MOST_COUNTED}) counted) as parked,
      coalesce(extract(epoch from now() - (select greatest(run_at, leased_until) from jobs
        where jobs.kind = kinds.kind and parked_at is null and run_at <= now()
          and (leased_until is null or leased_until < now()) order by run_at limit 1)), 0)::float8 as age
    from unnest(${JOB_KINDS}::text[]) kinds (kind)`.execute(db)
  return rows
}

async function countSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from sessions s where ${isLiveSession(sql<Date>`now()`)}
      limit ${MOST_COUNTED}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** @returns `late` if there is no answer by then */
export const inTime = <Value>(answer: Promise<Value>, late: Value): Promise<Value> =>
  Promise.race([answer, sleep(ANSWER_MS, late, { ref: false })])

/** Whoever asks during a reading gets its value. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => (running ??= read().finally(() => (running = undefined)))
}

/** Reads at most once in this time; a failed reading is tried again at once. */
export function remembered<Value>(seconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined
  let readAt = -Infinity
  return () => {
    if (known && performance.now() - readAt < seconds * 1000) return known
    readAt = performance.now()
    known = read()
    known.catch(() => (known = undefined))
    return known
  }
}
