import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../testing/database/certificates.ts'
import { startDatabaseRelay } from '../testing/database/database-relay.ts'
import { type DebianPostgres, startDebianPostgres } from '../testing/database/debian-postgres.ts'
import { freePort } from '../testing/free-port.ts'
import { startPgBouncer } from '../testing/database/pgbouncer.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { isAway } from './faults.ts'
import { type Db, openPool, openReplicaPool } from './pool.ts'
import { statement } from './statement.ts'
import { transaction } from './transaction.ts'
import { untilReachable } from './until-reachable.ts'

const isInstalled = await ensureInstalled('postgres15', 'pgbouncer')

describe.skipIf(!isInstalled)('a PostgreSQL of others', () => {
  let primary: DebianPostgres
  let standby: DebianPostgres
  beforeAll(async () => {
    primary = await startDebianPostgres()
    await makeCertificate(primary.folder, 'server', 'localhost')
    await makeCertificate(primary.folder, 'foreign', 'db.example')
    standby = await primary.replicate()
  })
  afterAll(async () => {
    await standby.dispose()
    await primary.dispose()
  })

  function open(url: string): Db {
    const db = openPool(url, 4)
    onTestFinished(() => db.destroy())
    return db
  }

  const both = () =>
    `postgresql://postgres@/postgres?host=${standby.folder},${primary.folder}&port=${standby.port},${primary.port}`
  const portOf = async (db: Db) => {
    const { rows } = await sql<{ port: number }>`select current_setting('port')::int as port`.execute(db)
    return rows[0]?.port
  }
  const setting = (text: string) => async () => {
    const db = openPool(primary.url, 1)
    await sql.raw(text).execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await db.destroy()
  }

  test('TLS: only the right certificate authority and host name are accepted, each refusal in one sentence', async () => {
    const at = (file: string) => join(primary.folder, file)
    for (const [name, value] of Object.entries({ ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' }))
      await setting(`alter system set ${name} = '${at(value)}'`)()
    await setting('alter system set ssl = on')()
    const url = (host: string, parameters: string) =>
      `postgresql://postgres@${host}:${primary.port}/postgres?${parameters}`
    const trusted = `sslrootcert=${at('server-ca.crt')}`
    const db = open(url('localhost', `sslmode=verify-full&${trusted}`))
    await expect.poll(() => untilReachable(db).then(() => 'reached', String)).toBe('reached')
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
    expect(rows).toEqual([{ ssl: true }])
    await untilReachable(open(url('127.0.0.1', `sslmode=verify-ca&${trusted}`)))
    await untilReachable(open(url('127.0.0.1', 'sslmode=no-verify')))
    for (const [host, parameters] of [
      ['127.0.0.1', `sslmode=verify-full&${trusted}`],
      ['localhost', `sslmode=verify-full&sslrootcert=${at('foreign-ca.crt')}`],
      ['localhost', `sslmode=verify-ca&sslrootcert=${at('foreign-ca.crt')}`],
      ['localhost', 'sslmode=require'],
    ] as const)
      await expect(untilReachable(open(url(host, parameters)))).rejects.toThrow(
        /^The database refuses the service: .+\. Compare the sslmode and sslrootcert in DATABASE_URL with the server\.$/s,
      )
  })

  test('of several servers the one that takes writes is used, and a lone standby is refused', async () => {
    expect(await portOf(open(both()))).toBe(primary.port)
    const reading = openReplicaPool(both())
    onTestFinished(() => reading.destroy())
    expect(await portOf(reading)).toBe(standby.port)
    const failure = await portOf(open(standby.url)).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: 'it is a standby, which takes no writes' })
    expect(isAway(failure)).toBe(true)
  })

  test('a connection whose server stops taking writes is given up, and the next one is used for the same change', async () => {
    const relay = await startDatabaseRelay(primary.url)
    onTestFinished(relay.dispose)
    const db = open(relay.url)
    await sql`create table if not exists notes (id int)`.execute(db)
    const insert = statement<{ id: number }, unknown>(({ id }) => sql`insert into notes values (${id})`)
    const frozen = await db.connection().execute(async (one) => {
      await sql`set default_transaction_read_only = on`.execute(one)
      return insert(one, { id: 1 }).catch((error: unknown) => error)
    })
    expect(isAway(frozen)).toBe(true)
    await insert(db, { id: 1 })
    let attempts = 0
    await transaction(db, async (tx) => {
      await insert(tx, { id: 2 })
      if (++attempts === 1) relay.cut()
      await insert(tx, { id: 3 })
    })
    expect(attempts).toBe(2)
    const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(db)
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  test('J4: a change whose commit was sent is not repeated when its connection is lost', async () => {
    const relay = await startDatabaseRelay(primary.url)
    onTestFinished(relay.dispose)
    const db = open(relay.url)
    await sql`create table if not exists sums (n int)`.execute(db)
    relay.cutAfter('commit')
    const lost = await transaction(db, (tx) => sql`insert into sums values (1)`.execute(tx)).catch(
      (error: unknown) => error,
    )
    relay.cutAfter(undefined)
    expect(isAway(lost)).toBe(true)
    const { rows } = await sql`select n from sums`.execute(db)
    expect(rows.length).toBeLessThanOrEqual(1)
  })

  test('PgBouncer without the parameter that names it is refused with a sentence that names the parameter', async () => {
    const pooler = await startPgBouncer(primary.url)
    onTestFinished(pooler.dispose)
    const wrong = open(pooler.url.replace('&pgbouncer=true', ''))
    await expect(untilReachable(wrong)).rejects.toThrow('add pgbouncer=true')
    await untilReachable(open(pooler.url))
  })

  test('J4: after the loss of the primary, statements fail only as away, until the promoted standby answers them', async () => {
    const port = await freePort()
    const listed = both().replace('?host=', `?host=127.0.0.1,`).replace('&port=', `&port=${port},`)
    const [db, pooler] = [open(listed), await startPgBouncer(primary.url)]
    onTestFinished(pooler.dispose)
    const pooled = open(pooler.url)
    const ask = statement<{ n: number }, { n: number }>(({ n }) => sql`select ${n}::int as n`)
    const failures: unknown[] = []
    const askAll = (one: Db) =>
      Promise.all(Array.from({ length: 6 }, (_, n) => ask(one, { n }).catch((error: unknown) => failures.push(error))))
    await askAll(db)
    await askAll(pooled)
    const slow = [db, pooled].map((one) =>
      sql`select pg_sleep(60)`.execute(one).catch((error: unknown) => failures.push(error)),
    )
    await primary.kill()
    for (let round = 0; round < 2; round++) await Promise.all([askAll(db), askAll(pooled)])
    await Promise.all(slow)
    expect(failures.length).toBeGreaterThan(10)
    for (const failure of failures) expect([failure, isAway(failure)]).toEqual([failure, true])
    await standby.promote()
    await expect.poll(() => portOf(db).catch(String)).toBe(standby.port)
    await primary.start()
    await expect.poll(() => portOf(pooled).catch(String), { interval: 500 }).toBe(primary.port)
  })
})
