import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../testing/database/postgres.ts'
import { type Db, openPool } from './pool.ts'

// PgBouncer lends any connection, so statements have no names behind it.
const isPooled = process.env['TEST_POOLER_URL'] !== undefined

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

const run = (text: string, times = 1) =>
  Promise.all(Array.from({ length: times }, (_, at) => sql`select ${at}::int as ${sql.id(text)}`.execute(db)))

async function prepared(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select substring(statement from 'as "(.*)"') as text from pg_prepared_statements`.execute(db)
  return rows.map(({ text }) => text)
}

test.skipIf(isPooled)('a statement that is used often is prepared, even after very many others', async () => {
  for (let at = 0; at < 600; at++) await run(`early ${at}`)
  await run('rare', 99)
  await run('frequent', 100)
  const known = await prepared()
  expect(known).toContain('early 0')
  expect(known).toContain('frequent')
  expect(known).not.toContain('rare')
  expect(known).not.toContain('early 599')

  for (let at = 0; at < 110; at++) await run(`late ${at}`, 100)
  expect(await prepared()).toHaveLength(500)
})
