import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase } from '../testing/database/postgres.ts'
import { type Db, openWorkerPool, poolOf } from './pool.ts'
import { transaction } from './transaction.ts'

const LIFETIME_SECONDS = 1

test('a worker renews its connections, but not within a transaction', async () => {
  const database = await createDatabase(inject('databaseUrl'))
  onTestFinished(database.drop)
  const db = openWorkerPool(database.url, 1, LIFETIME_SECONDS)
  onTestFinished(() => db.destroy())
  let opened = 0
  poolOf(db)?.on('connect', () => opened++)
  const ask = async (at: Db) => (await sql<{ one: number }>`select 1 as one`.execute(at)).rows[0]?.one

  await transaction(db, async (tx) => {
    expect(await ask(tx)).toBe(1)
    await sleep(LIFETIME_SECONDS * 1500)
    expect(await ask(tx)).toBe(1)
  })
  expect(opened).toBe(1)
  expect(await ask(db)).toBe(1)
  expect(opened).toBe(2)
})

test('an idle worker keeps no connection, and opens one when it looks for work', async () => {
  const database = await createDatabase(inject('databaseUrl'))
  onTestFinished(database.drop)
  const db = openWorkerPool(database.url, 2)
  onTestFinished(() => db.destroy())
  await sql`select 1`.execute(db)
  expect(poolOf(db)?.totalCount).toBe(1)
  await expect.poll(() => poolOf(db)?.totalCount, { timeout: 15_000 }).toBe(0)
  await sql`select 1`.execute(db)
  expect(poolOf(db)?.totalCount).toBe(1)
})
