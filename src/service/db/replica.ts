import { sql } from 'kysely'
import type { Log } from '../../wire/log.ts'
import { isAway } from './faults.ts'
import { pipelined } from './pipelined-dialect.ts'
import { type Db, openReplicaPool } from './pool.ts'
import { readReplicaState } from './replica-state.ts'
import { statement } from './statement.ts'
import { retrying } from './transaction.ts'

/** How often a replica is asked whether it has replayed enough, in steps of two milliseconds. */
const LOOKS = 25
/** After a failure, one request tries the replica again, while the others use the primary. */
const REST_MS = { behind: 500, away: 5000 }
const RECOVERY_CONFLICT = '40001'

export interface Replica {
  /**
   * Does reading work on data at least as new as this call: on the replica, or on the primary if the replica cannot.
   * `work` may run twice.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Seconds for which it lacks changes; undefined without a replica of this database. @throws Error if it is away */
  lag(): Promise<number | undefined>
  close(): Promise<void>
}

interface Position {
  lsn: string
  timeline: number
}

/** The replica cannot be read, or not yet. */
class Unfit extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/**
 * A streaming replica of the primary. Without a URL, the primary does all the work. Each reading asks the primary for
 * its position in the log, which has passed the commit of every change that anybody was told of.
 */
export function openReplica(primary: Db, url: string | undefined, log?: Log): Replica {
  const readHere = <T>(work: (db: Db) => Promise<T>) => retrying(() => work(primary), isReading)
  if (url === undefined) return { read: readHere, lag: async () => undefined, close: async () => {} }
  const pool = openReplicaPool(url)
  const tokens = new Map<number, string>()
  let restsUntil = 0

  async function tokenOf(timeline: number): Promise<string> {
    const token = tokens.get(timeline) ?? (await nameTimeline(primary, timeline))
    tokens.set(timeline, token)
    return token
  }

  /** @throws Unfit, or what `work` throws */
  async function readThere<T>(work: (db: Db) => Promise<T>): Promise<T> {
    let begun = false
    try {
      return await onReplica((db) => {
        begun = true
        return work(db)
      })
    } catch (error) {
      if (begun && !isAway(error) && !isConflict(error)) throw error
      throw error instanceof Unfit ? error : new Unfit('it does not answer', error)
    }
  }

  async function onReplica<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const position = await readPosition(primary)
    const token = await tokenOf(position.timeline)
    return pool.transaction().execute(async (tx) => {
      const at = await pipelined(tx)
      const [state] = await replayed(at, { lsn: position.lsn })
      const [last] = await lastTimeline(at, { timeline: position.timeline })
      if (!state?.replayed || last?.token !== token) throw new Unfit('it has not replayed what is committed')
      return work(at)
    })
  }

  function rest({ message, cause }: Unfit): void {
    if (restsUntil === 0) log?.warn({ err: cause }, `the primary answers instead of the replica: ${message}`)
    restsUntil = Date.now() + (cause === undefined ? REST_MS.behind : REST_MS.away)
  }

  return {
    async read(work) {
      if (restsUntil > Date.now()) return readHere(work)
      if (restsUntil > 0) restsUntil = Date.now() + REST_MS.away
      try {
        const result = await readThere(work)
        if (restsUntil > 0) log?.info('the replica is read again')
        restsUntil = 0
        return result
      } catch (error) {
        if (!(error instanceof Unfit)) throw error
        rest(error)
        return readHere(work)
      }
    },
    async lag() {
      const state = await readReplicaState(primary, pool)
      return state.kind === 'foreign' ? undefined : state.lag
    },
    close: () => pool.destroy(),
  }
}

/** Without synchronous commits, a change is visible before it is flushed. */
const positions = statement<object, Position>(
  () => sql`
    select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::bigint as timeline
    from (select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as lsn offset 0) p`,
)

async function readPosition(primary: Db): Promise<Position> {
  const [position] = await positions(primary, {})
  if (!position) throw new Error('the primary names no position in its log')
  return position
}

/** Waits a little for the replica. A promoted one is no replica any more, and may have other changes than the primary. */
const replayed = statement<{ lsn: string }, { replayed: boolean }>(
  ({ lsn }) => sql`
    select pg_is_in_recovery() and exists (select from generate_series(1, ${sql.lit(LOOKS)})
      where pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn or pg_sleep(0.002) is null) as replayed`,
)

const lastTimeline = statement<{ timeline: number }, { token: string }>(
  ({ timeline }) => sql`
    select token::text from database_timelines where timeline >= ${timeline}::bigint order by timeline desc limit 1`,
)

async function nameTimeline(primary: Db, timeline: number): Promise<string> {
  await sql`insert into database_timelines (timeline) values (${timeline}) on conflict do nothing`.execute(primary)
  const { rows } = await sql<{ token: string }>`
    select token::text from database_timelines where timeline = ${timeline}`.execute(primary)
  return rows[0]?.token ?? ''
}

const isReading = () => true

/** What is replayed removes rows that a statement still reads. */
const isConflict = (error: unknown): boolean => (error as { code?: unknown }).code === RECOVERY_CONFLICT
