import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type DatabaseRelay, startDatabaseRelay } from '../testing/database/database-relay.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { committing, together } from './pipelined-dialect.ts'
import { type Db, openPool } from './pool.ts'
import { statement } from './statement.ts'
import { transaction } from './transaction.ts'

// Behind PgBouncer, reads that are given together are one transaction, which ends with the first failure.
const isPooled = process.env['TEST_POOLER_URL'] !== undefined

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

test.skipIf(isPooled)(
  'reads given together share a round trip, and one that fails spoils neither the others nor the connection',
  async () => {
    await insert(db, { id: 1 })
    relay.meter()
    const read = (one: Db) => sql<{ id: number }>`select id from notes where id = ${1}`.execute(one)
    await together(db, (one) => Promise.all([read(one), read(one), read(one)]))
    expect(relay.meter()).toEqual({ statements: 3, roundTrips: 1 })
    const failing = together(db, (one) => Promise.allSettled([sql`select 1 / 0`.execute(one), read(one)]))
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await ids()).toEqual([1])
  },
)

test.skipIf(isPooled)(
  'a statement gives the same rows at its first call, twice at once and later, also after a call that failed',
  async () => {
    const divide = statement<{ by: number }, object>(
      ({
        by,
      }) => sql`select 6 / ${by}::int as quotient, now() > '2020-01-01' as late, null::int as nothing, '\\x00ff'::bytea as bytes,
      '2026-11-21 06:47:14.5+00'::timestamptz as at, array[1, 2] as list`,
    )
    const row = { late: true, nothing: null, bytes: Buffer.of(0, 255), at: '2026-11-21T06:47:14.500Z', list: [1, 2] }
    await together(db, async (one) => {
      await expect(divide(one, { by: 0 })).rejects.toMatchObject({ code: '22012' })
      expect(await Promise.all([divide(one, { by: 1 }), divide(one, { by: 2 })])).toEqual([
        [{ ...row, quotient: 6 }],
        [{ ...row, quotient: 3 }],
      ])
      await expect(divide(one, { by: 0 })).rejects.toMatchObject({ code: '22012' })
      expect(await divide(one, { by: 3 })).toEqual([{ ...row, quotient: 2 }])
    })
  },
)

// Statements without names are parsed at each call.
test.skipIf(isPooled)('a statement whose columns have changed fails, and gives none of the former ones', async () => {
  const all = statement<{ id: number }, object>(({ id }) => sql`select * from notes where id = ${id}`)
  await insert(db, { id: 1 })
  await together(db, async (one) => {
    expect(await all(one, { id: 1 })).toEqual([{ id: 1, text: '' }])
    await sql`alter table notes rename column text to words`.execute(one)
    await expect(all(one, { id: 1 })).rejects.toThrow('cached plan must not change result type')
    await sql`alter table notes rename column words to text`.execute(one)
    expect(await all(one, { id: 1 })).toEqual([{ id: 1, text: '' }])
  })
})
