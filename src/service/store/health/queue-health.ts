import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export interface QueueHealth {
  kind: string
  waiting: number
  parked: number
  /** Seconds for which the oldest job has been due while nobody works on it. */
  overdue: number
}

export async function readQueueHealth(db: Db): Promise<QueueHealth[]> {
  const { rows } = await sql<QueueHealth>`
    select kind, count(*) filter (where parked_at is null
        and (leased_until is null or leased_until < now())) as waiting, count(parked_at) as parked,
      coalesce(extract(epoch from now() - min(greatest(run_at, leased_until)) filter (
        where parked_at is null and run_at <= now() and (leased_until is null or leased_until < now()))), 0)::float8
        as overdue
    from jobs group by kind order by kind`.execute(db)
  return rows
}

/** Seconds for which the oldest entry of the audit trails has waited to be chained; 0 without one. */
export async function readChainDelay(db: Db): Promise<number> {
  const { rows } = await sql<{ delay: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as delay from audit_inbox`.execute(db)
  return rows[0]?.delay ?? 0
}
