import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type DatabaseRelay, startDatabaseRelay } from '../testing/database/database-relay.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { committing, together } from './pipelined-dialect.ts'
import { type Db, openPool } from './pool.ts'
import { statement } from './statement.ts'
import { transaction } from './transaction.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let relay: DatabaseRelay
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  relay = await startDatabaseRelay(database.url)
  db = openPool(relay.url, 2)
  await sql`create table notes (id int primary key, text text not null default '')`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await relay.dispose()
  await database.drop()
})
beforeEach(async () => {
  await sql`truncate notes`.execute(db)
  relay.meter()
})

const insert = statement<{ id: number }, { id: number }>(
  ({ id }) => sql`insert into notes (id) values (${id}) returning id`,
)
const ids = async () =>
  (await sql<{ id: number }>`select id from notes order by id`.execute(db)).rows.map((row) => row.id)

test('statements given together in a transaction are sent together, with its begin and its commit', async () => {
  await transaction(db, (tx) => committing(tx, () => Promise.all([insert(tx, { id: 1 }), insert(tx, { id: 2 })])))
  expect(relay.meter()).toEqual({ statements: 4, roundTrips: 1 })
  expect(await ids()).toEqual([1, 2])
})

test('a statement that fails beside the commit takes the whole transaction back, and its error is the one thrown', async () => {
  const failing = transaction(db, async (tx) => {
    await insert(tx, { id: 1 })
    return committing(tx, () => Promise.all([insert(tx, { id: 2 }), insert(tx, { id: 1 }), insert(tx, { id: 3 })]))
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await ids()).toEqual([])
  await transaction(db, (tx) => insert(tx, { id: 4 }))
  expect(await ids()).toEqual([4])
})

test('a refusal after statements were sent together takes them back', async () => {
  const refused = transaction(db, async (tx) => {
    await Promise.all([insert(tx, { id: 1 }), insert(tx, { id: 2 })])
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(await ids()).toEqual([])
})

test('reads given together share a round trip, and one that fails spoils neither the others nor the connection', async () => {
  await insert(db, { id: 1 })
  relay.meter()
  const read = (one: Db) => sql<{ id: number }>`select id from notes where id = ${1}`.execute(one)
  await together(db, (one) => Promise.all([read(one), read(one), read(one)]))
  expect(relay.meter()).toEqual({ statements: 3, roundTrips: 1 })
  const failing = together(db, (one) => Promise.allSettled([sql`select 1 / 0`.execute(one), read(one)]))
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await ids()).toEqual([1])
})
