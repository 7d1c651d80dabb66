import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pipelined } from './pipelined-dialect.ts'
import type { Db, Tx } from './pool.ts'

const ATTEMPTS = 6

/** Serialization failures and deadlocks: PostgreSQL (and its distributed kin) asks to run the transaction again. */
function mayRetry(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === '40001' || code === '40P01'
}

/**
 * Runs `work` in one transaction, and again if the database asks for it: `work` must have no effect outside. Statements
 * that do not wait for each other are sent together.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(() => db.transaction().execute(async (tx) => work(await pipelined(tx))))
}

/** Runs one transaction again if the database asks for it. */
export async function retrying<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      if (attempt === ATTEMPTS || !mayRetry(error)) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Does work inside a transaction and rolls it back, so that only the result remains. */
export async function tryOut<T>(tx: Db, work: (trial: Db) => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(tx)
  const result = await work(tx)
  await sql`rollback to savepoint trial`.execute(tx)
  return result
}
