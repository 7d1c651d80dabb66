import { sql } from 'kysely'
import { inject } from 'vitest'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Db, openPool } from '../../db/pool.ts'
import { createDatabase } from '../../testing/database/postgres.ts'
import { refreshStatistics } from './refresh-statistics.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url, 1)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

it('takes the statistics of a table that has changed much, once', async () => {
  await sql`alter table rate_buckets set (autovacuum_enabled = false)`.execute(db)
  const fill = (count: number) =>
    sql`insert into rate_buckets (name, full_at, most_ms)
      select gen_random_uuid()::text, now(), 1 from generate_series(1, ${count}::int)`.execute(db)
  const refreshed = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    return (await refreshStatistics(db)).includes('rate_buckets')
  }

  await fill(400)
  expect(await refreshed()).toBe(false)
  await fill(400)
  await vi.waitFor(async () => expect(await refreshed()).toBe(true), { timeout: 10_000, interval: 200 })
  const { rows } = await sql`select reltuples from pg_class where relname = 'rate_buckets'`.execute(db)
  expect(rows).toEqual([{ reltuples: 800 }])
  expect(await refreshed()).toBe(false)
})
