import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../testing/database/postgres.ts'
import { migrate } from './migrate.ts'
import { type Db, openPool } from './pool.ts'

test('a migration waits for another node that migrates', async () => {
  const database = await createDatabase(inject('databaseUrl'))
  const db = openPool(database.url, 2)
  try {
    let applied: string[] | undefined
    const migrating = await db.transaction().execute(async (tx) => {
      await sql`lock table migrations in share update exclusive mode`.execute(tx)
      const waiting = migrate(database.url).then((names) => (applied = names))
      await sql`select pg_sleep(1)`.execute(tx)
      expect(applied).toBeUndefined()
      return { waiting }
    })
    expect(await migrating.waiting).toEqual([])
  } finally {
    await db.destroy()
    await database.drop()
  }
})

describe('on a database in use', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let folder: string
  let db: Db
  beforeEach(async () => {
    database = await createDatabase(inject('databaseUrl'))
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
    db = openPool(database.url, 6)
    await sql`create table notes as select n as id, 'note ' || n as text, null::text as kind from generate_series(1, 2500) n`.execute(
      db,
    )
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  const run = (log?: (line: string) => void) => migrate(database.directUrl, { folder, ...(log && { log }) })

  test('a migration gives way to transactions that use its table, and is applied once they end', async () => {
    await write('0001_column.sql', 'alter table notes add column owner int;')
    const lines: string[] = []
    let migrating: Promise<string[]> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`select from notes limit 1`.execute(tx)
      migrating = run((line) => void lines.push(line))
      await expect.poll(() => lines).toContain('0001_column.sql waits for a lock.')
      // Between two attempts, nothing waits behind the migration.
      await sql`insert into notes values (0)`.execute(db)
    })
    expect(await migrating).toEqual(['0001_column.sql'])
    expect(lines.at(-1)).toBe('Applied 0001_column.sql.')
  })

  test('indexes are built while rows are written, one left unfinished is built again, and rows change in batches', async () => {
    await write(
      '0001_text.sql',
      '-- form: concurrent\ncreate unique index concurrently if not exists notes_text on notes (text);\n',
    )
    const set = `update notes set kind = 'plain' where id in (select id from notes where kind is null limit 1000)`
    await write('0002_kind.sql', `-- form: batches\n${set};\n`)
    await sql`insert into notes values (0, 'note 1')`.execute(db)
    await expect(run()).rejects.toMatchObject({ code: '23505' })
    await sql`delete from notes where id = 0`.execute(db)
    const writing = Array.from({ length: 20 }, (_, at) =>
      sql`insert into notes values (${10_000 + at}, ${`more ${at}`})`.execute(db),
    )
    const [applied, again] = await Promise.all([run(), run()])
    await Promise.all(writing)
    expect([...applied, ...again].toSorted()).toEqual(['0001_text.sql', '0002_kind.sql'])
    const { rows } = await sql<{ valid: boolean; plain: number }>`
      select indisvalid as valid, (select count(*) from notes where kind = 'plain') as plain
      from pg_index where indexrelid = 'notes_text'::regclass`.execute(db)
    expect(rows).toEqual([{ valid: true, plain: expect.toSatisfy((plain: number) => plain >= 2500) }])
    expect(await run()).toEqual([])
  })

  test('a migration that fails leaves nothing of it, but those before it', async () => {
    await write('0001_good.sql', 'alter table notes add column owner int;')
    await write('0002_bad.sql', 'alter table notes add column more int; select 1 / 0;')
    await expect(run()).rejects.toMatchObject({ code: '22012' })
    const { rows } = await sql<{ names: string }>`
      select string_agg(column_name, ' ' order by ordinal_position) as names from information_schema.columns
      where table_name = 'notes'`.execute(db)
    expect(rows).toEqual([{ names: 'id text kind owner' }])
  })
})
