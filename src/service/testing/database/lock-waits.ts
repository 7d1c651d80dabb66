import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../../db/pool.ts'

/** Waits until a statement of the database waits for a lock. */
export async function untilLockWait(db: Db): Promise<void> {
  const isWaiting = async () =>
    (
      await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' limit 1`.execute(db)
    ).rows.length > 0
  await vi.waitFor(async () => expect(await isWaiting()).toBe(true), { timeout: 30_000, interval: 20 })
}
