import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isAway } from './faults.ts'
import { hasSentCommit, pipelined } from './pipelined-dialect.ts'
import type { Db, Tx } from './pool.ts'

const ATTEMPTS = 6
/** A lost connection is replaced within this time, or the database is away. */
const LOST_MS = 1000

/** Serialization failures and deadlocks: PostgreSQL (and its distributed kin) asks to run the transaction again. */
function mayRetry(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === '40001' || code === '40P01'
}

/**
 * Runs `work` in one transaction, and again if the database asks for it or the connection is lost before the commit is
 * sent: `work` must have no effect outside. Statements that do not wait for each other are sent together.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let current: Tx | undefined
  const attemptOnce = async (tx: Tx) => {
    current = await pipelined(tx)
    return work(current)
  }
  return retrying(
    () => db.transaction().execute(attemptOnce),
    () => current === undefined || !hasSentCommit(current),
  )
}

/** Runs reading work in one transaction, in which PostgreSQL refuses every change. */
export const readOnly = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    const [, result] = await Promise.all([sql`set transaction read only`.execute(tx), work(tx)])
    return result
  })

/**
 * Runs one transaction again if the database asks for it.
 * @param isHarmless whether it can also be repeated after the loss of its connection
 */
export async function retrying<T>(attemptOnce: () => Promise<T>, isHarmless = () => false): Promise<T> {
  const start = Date.now()
  const mayRepeat = (error: unknown) => isAway(error) && Date.now() - start < LOST_MS && isHarmless()
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      if (attempt === ATTEMPTS || !(mayRetry(error) || mayRepeat(error))) throw error
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
