import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** From this many rows on, reading a set once costs less than a look at each of its rows. */
export const MANY = 50

/**
 * Runs statements that read each of their tables in one pass. PostgreSQL has no statistics of rows that were just
 * written: it expects a single row and would join many by nested loops, which take quadratic time. Statements for this
 * restrict their tables by arrays of ids, because no join restricts them. They keep each `lateral`, and each `unnest` of
 * a column, which need nested loops, in a materialized part or behind `offset 0`.
 */
export async function inOnePass<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_nestloop = off`.execute(tx)
  const result = await work()
  await sql`set local enable_nestloop = on`.execute(tx)
  return result
}

/** Runs statements for `count` rows: in one pass if these are many. */
export const asOneSet = <T>(tx: Db, count: number, work: () => Promise<T>): Promise<T> =>
  count < MANY ? work() : inOnePass(tx, work)
