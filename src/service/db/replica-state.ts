import { sql } from 'kysely'
import type { Db } from './pool.ts'

export type ReplicaState =
  | { kind: 'replica'; /** Seconds since the last change that it has, or 0 if it has them all. */ lag: number }
  /** It is no replica, follows a lost primary, or is one of another database. */
  | { kind: 'foreign' }

interface Facts {
  in_recovery: boolean
  same: boolean
  lag: number
}

/** How far a replica has followed its primary, whose position is read first. Changes nothing. */
export async function readReplicaState(primary: Db, replica: Db): Promise<ReplicaState> {
  const { rows: positions } = await sql<{ lsn: string; system: string; token: string | null }>`
    select pg_current_wal_flush_lsn()::text as lsn, (select system_identifier::text from pg_control_system()) as system,
      (select token::text from database_timelines order by timeline desc limit 1) as token`.execute(primary)
  const [position] = positions
  if (!position) throw new Error('the primary names no position in its log')
  const { lsn, system, token } = position
  const { rows } = await sql<Facts>`
    select pg_is_in_recovery() as in_recovery,
      (select system_identifier::text from pg_control_system()) = ${system} as same,
      case when pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn then 0
        else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as lag`.execute(
    replica,
  )
  const [facts] = rows
  if (!facts?.in_recovery || !facts.same) return { kind: 'foreign' }
  const { lag } = facts
  return lag === 0 && !(await hasTimeline(replica, token)) ? { kind: 'foreign' } : { kind: 'replica', lag }
}

/** Only replicas that follow the present primary have the last row. No row was written before the first reading. */
async function hasTimeline(replica: Db, token: string | null): Promise<boolean> {
  const { rows } = await sql<{ token: string }>`
    select token::text from database_timelines order by timeline desc limit 1`.execute(replica)
  return (rows[0]?.token ?? null) === token
}
