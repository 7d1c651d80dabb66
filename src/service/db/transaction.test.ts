import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { createRoom } from '../testing/room.ts'
import { startTestService } from '../testing/start-service.ts'
import { createWorld } from '../testing/world.ts'
import { committing } from './pipelined-dialect.ts'
import { type Db, openPool, type Tx } from './pool.ts'
import { retrying, transaction } from './transaction.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url, 4)
  await sql`create table sums (name text primary key, total int not null)`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await sql`truncate sums`.execute(db)
  await sql`insert into sums values ('a', 0), ('b', 0)`.execute(db)
})

const add = (tx: Db, name: string, count: number) =>
  sql`update sums set total = total + ${count}::int where name = ${name}`.execute(tx)

async function totals() {
  const { rows } = await sql<{ total: number }>`select total from sums order by name`.execute(db)
  return rows.map(({ total }) => total)
}

/** Lets both sides go on once both have come here. */
function meeting() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return async () => {
    if (++here === 2) resolve()
    await promise
  }
}

/** Both change two rows in opposite orders, each after the other has changed its first one. */
async function crossing(finish: (tx: Tx, last: () => Promise<unknown>) => Promise<unknown>): Promise<number> {
  const meet = meeting()
  let attempts = 0
  const change = (first: string, second: string, count: number) =>
    transaction(db, async (tx) => {
      attempts++
      await add(tx, first, count)
      await meet()
      await finish(tx, () => add(tx, second, count))
    })
  await Promise.all([change('a', 'b', 1), change('b', 'a', 10)])
  return attempts
}

test.each([
  ['before the commit', (_: Tx, last: () => Promise<unknown>) => last()],
  ['beside the commit', committing],
])('two transactions that deadlock %s both happen, each once', async (_, finish) => {
  expect(await crossing(finish)).toBeGreaterThan(2)
  expect(await totals()).toEqual([11, 11])
})

test('of two statements that deadlock in transactions of their own, both happen', async () => {
  await sql`
    create function add_slowly(one text, other text, count int) returns void language plpgsql as $$
    begin
      update sums set total = total + count where name = one;
      perform pg_sleep(0.3);
      update sums set total = total + count where name = other;
    end $$`.execute(db)
  const change = (one: string, other: string, count: number) =>
    retrying(() => sql`select add_slowly(${one}, ${other}, ${count}::int)`.execute(db))
  await Promise.all([change('a', 'b', 1), change('b', 'a', 10)])
  expect(await totals()).toEqual([11, 11])
})

test('transactions that cannot be serialized both happen, one after the other', async () => {
  const meet = meeting()
  let attempts = 0
  const change = (count: number) =>
    transaction(db, async (tx) => {
      attempts++
      await sql`set transaction isolation level serializable`.execute(tx)
      const { rows } = await sql<{ total: number }>`select total from sums where name = 'a'`.execute(tx)
      await meet()
      await sql`update sums set total = ${(rows[0]?.total ?? 0) + count}::int where name = 'a'`.execute(tx)
    })
  await Promise.all([change(1), change(10)])
  expect(attempts).toBeGreaterThan(2)
  expect(await totals()).toEqual([11, 0])
})

test('a transaction that deadlocks again and again is given up', async () => {
  let attempts = 0
  const failing = transaction(db, async (tx) => {
    attempts++
    await sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`.execute(tx)
  })
  await expect(failing).rejects.toMatchObject({ code: '40P01' })
  expect(attempts).toBe(6)
})

test('a request whose transaction is a victim of a deadlock twice is answered, with one change and one activity', async () => {
  const service = await startTestService()
  const { alice, ...world } = await createWorld(service)
  const room = await createRoom({ alice, ...world })
  const folder = await room.folder('Finance')
  const { workspace_id } = room
  // A sequence keeps its value when a transaction is rolled back.
  await sql`create sequence deaths`.execute(service.services.db)
  await sql`
    create function die_twice() returns trigger language plpgsql as $$
    begin
      if nextval('deaths') <= 2 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$`.execute(service.services.db)
  for (const table of ['groups', 'folders', 'file_versions'])
    await sql`create trigger die before insert on ${sql.table(table)} for each row execute function die_twice()`.execute(
      service.services.db,
    )
  const again = () => sql`alter sequence deaths restart`.execute(service.services.db)

  await alice.call(api.groups.create, { body: { group: { name: 'Lenders', workspace_id } } })
  await again()
  await room.folder('Legal')
  await again()
  await room.upload(alice, folder, 'plan.txt')
  await again()
  expect(await room.upload(alice, folder, 'plan.txt')).toMatchObject({ version: 2 })

  const { rows } = await sql<{ last_value: number }>`select last_value from deaths`.execute(service.services.db)
  expect(rows).toEqual([{ last_value: 3 }])
  expect((await room.messages()).slice(0, 4)).toEqual([
    'updated the file: plan.txt',
    'added the file: plan.txt',
    'added the folder: Legal',
    'added the group: Lenders',
  ])
  await service.close()
})
