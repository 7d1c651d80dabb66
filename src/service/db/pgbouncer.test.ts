import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DebianPostgres, startDebianPostgres } from '../testing/database/debian-postgres.ts'
import { type PgBouncer, startPgBouncer } from '../testing/database/pgbouncer.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { committing, together } from './pipelined-dialect.ts'
import { type Db, openPool } from './pool.ts'
import { statement } from './statement.ts'
import { transaction } from './transaction.ts'

// Many clients share two connections of the server, so that each transaction of one follows that of another.

const isInstalled = await ensureInstalled('postgres15', 'pgbouncer')

describe.skipIf(!isInstalled)('a PostgreSQL of others', () => {
  let postgres: DebianPostgres
  let pooler: PgBouncer
  const clients: Db[] = []
  beforeAll(async () => {
    postgres = await startDebianPostgres()
    pooler = await startPgBouncer(postgres.url, 2)
    for (let at = 0; at < 3; at++) clients.push(openPool(pooler.url, 4))
    await sql`create table notes (id int primary key, tenant int not null)`.execute(clientAt(0))
  })
  afterAll(async () => {
    for (const client of clients) await client.destroy()
    await pooler.dispose()
    await postgres.dispose()
  })

  const clientAt = (at: number) => clients[at % clients.length] as Db
  const insert = statement<{ id: number; tenant: number }, { id: number }>(
    ({ id, tenant }) => sql`insert into notes values (${id}, ${tenant}) returning id`,
  )
  const read = statement<{ tenant: number }, { id: number; at: string }>(
    ({ tenant }) => sql`
    select id, '2026-11-21 06:47:14.5-05'::timestamptz as at from notes where tenant = ${tenant} order by id`,
  )

  test('K43: transactions of many clients on two pooled connections keep apart, with their statements sent together', async () => {
    const rounds = Array.from({ length: 120 }, (_, at) => at)
    await Promise.all(
      rounds.map((at) =>
        transaction(clientAt(at), async (tx) => {
          await sql`set local work_mem = ${sql.lit(`${at + 64}kB`)}`.execute(tx)
          await insert(tx, { id: at * 3, tenant: at })
          const { rows } = await sql<{ work_mem: string }>`show work_mem`.execute(tx)
          expect(rows).toEqual([{ work_mem: `${at + 64}kB` }])
          if (at % 4 === 0) throw new Error('refused')
          const more = [1, 2].map((step) => insert(tx, { id: at * 3 + step, tenant: at }))
          return committing(tx, () => Promise.all(more))
        }).catch((error: Error) => expect(error.message).toBe('refused')),
      ),
    )
    await Promise.all(
      rounds.map((at) =>
        together(clientAt(at + 1), async (one) => {
          const [rows, none] = await Promise.all([read(one, { tenant: at }), read(one, { tenant: -1 })])
          const ids = at % 4 === 0 ? [] : [at * 3, at * 3 + 1, at * 3 + 2]
          expect([rows.map(({ id }) => id), none]).toEqual([ids, []])
          for (const row of rows) expect(row.at).toBe('2026-11-21T11:47:14.500Z')
        }),
      ),
    )
  })

  test('K43: statements longer than the buffers of the pooler are answered, each by its own rows, when sent together', async () => {
    const long = (at: number) => sql<{ at: number }>`select ${at}::int as at ${sql.raw(`/* ${'x'.repeat(20_000)} */`)}`
    const rounds = Array.from({ length: 60 }, (_, at) => at)
    await Promise.all(
      rounds.map((round) =>
        together(clientAt(round), async (one) => {
          const replies = await Promise.all([0, 1, 2, 3, 4].map((step) => long(round * 10 + step).execute(one)))
          expect(replies.map(({ rows }) => rows[0]?.at)).toEqual([0, 1, 2, 3, 4].map((step) => round * 10 + step))
        }),
      ),
    )
  })

  test('a statement that fails behind the pooler takes back its transaction only', async () => {
    const [one, other] = [clientAt(0), clientAt(1)]
    const failing = transaction(one, (tx) =>
      committing(tx, () =>
        Promise.all([insert(tx, { id: 1000, tenant: 1000 }), insert(tx, { id: 1000, tenant: 1000 })]),
      ),
    )
    const working = transaction(other, (tx) => insert(tx, { id: 1001, tenant: 1000 }))
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    await working
    expect((await read(one, { tenant: 1000 })).map(({ id }) => id)).toEqual([1001])
  })
})
