import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { createDatabase } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

test('a migration waits for another node longer than any other statement may take', async () => {
  const database = await createDatabase(inject('databaseUrl'))
  const db = openPool(database.url, 2)
  const waiting = sql<{ pid: number }>`select pid from pg_locks where not granted
    and relation = 'migrations'::regclass and database = (select oid from pg_database where datname = current_database())`
  try {
    let migrating: Promise<void> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`lock table migrations in exclusive mode`.execute(tx)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const impatient = `options=${encodeURIComponent('-c statement_timeout=500ms')}`
      migrating = migrate(`${database.url}${database.url.includes('?') ? '&' : '?'}${impatient}`)
      migrating.catch(() => {})
      while ((await waiting.execute(tx)).rows.length === 0);
      vi.advanceTimersByTime(60 * 60_000)
      await sql`select pg_sleep(1)`.execute(tx)
    })
    await expect(migrating).resolves.toBeUndefined()
  } finally {
    vi.useRealTimers()
    await db.destroy()
    await database.drop()
  }
})
