import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { readDatabaseUrl } from '../base/database-url.ts'
import { type Db, openPool, type Tx } from './pool.ts'
import { retrying } from './transaction.ts'

export const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url))

/** While a migration waits for a lock, all later statements on the table wait behind it. */
const LOCK_TIMEOUT = '1s'
const LOCK_ATTEMPTS = 60
const LOCK_PAUSE_MS = 2000
const LOCK_NOT_AVAILABLE = '55P03'
const OTHERS_PAUSE_MS = 100
const MIGRATED_WITHIN_MS = 60_000
const BATCH_PAUSE_MS = 10

/**
 * The first line of a migration may say `-- form: concurrent` (plain statements, each outside a transaction) or
 * `-- form: batches` (one statement, repeated until it changes no row). Both must be able to run again.
 */
const FORM = /^-- form: (concurrent|batches)\n/
const INDEX = /create (?:unique )?index concurrently (?:if not exists )?(\w+)/gi

interface Migration {
  name: string
  text: string
  form: string | undefined
}

export interface MigrateOptions {
  folder?: string
  log?: (line: string) => void
}

/**
 * Migrates the database to the newest schema, forward only, each file once. Concurrent nodes wait for each other.
 * @returns names of the migrations that were applied
 */
export async function migrate(
  databaseUrl: string,
  { folder = MIGRATIONS, log }: MigrateOptions = {},
): Promise<string[]> {
  // Migrating a large database takes time, and so does the wait for another node that migrates it.
  const db = openPool(databaseUrl, 2, 0)
  try {
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
      .execute(db)
      .catch(ignoreRace)
    return await alone(db, async () => {
      const applied = await listApplied(db)
      const missing = (await listMigrations(folder)).filter((name) => !applied.has(name))
      for (const name of missing) {
        await apply(db, await readMigration(folder, name), readDatabaseUrl(databaseUrl).pooled, log)
        log?.(`Applied ${name}.`)
      }
      return missing
    })
  } finally {
    await db.destroy()
  }
}

/**
 * Keeps other nodes out. The lock allows reads of the table, and this node to note what it applied. The others ask again
 * and again: an index that is built concurrently would wait for a transaction that waits for the lock.
 */
async function alone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (;;) {
    let isAlone = false
    try {
      return await db.transaction().execute(async (tx) => {
        await waitWithoutLimit(tx)
        await sql`lock table migrations in share update exclusive mode nowait`.execute(tx)
        isAlone = true
        return work()
      })
    } catch (error) {
      if (isAlone || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
      await sleep(OTHERS_PAUSE_MS)
    }
  }
}

async function waitWithoutLimit(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const text = await readFile(`${folder}/${name}`, 'utf8')
  return { name, text, form: FORM.exec(text)?.[1] }
}

async function apply(db: Db, migration: Migration, pooled: boolean, log: MigrateOptions['log']): Promise<void> {
  const { name, text, form } = migration
  if (form === undefined) return gettingLocks(name, () => applyInTransaction(db, migration), log)
  if (pooled)
    throw new Error(`${name} runs outside a transaction: set DATABASE_DIRECT_URL, which leads past PgBouncer.`)
  await gettingLocks(name, () => applyOutside(db, text, form), log)
  await note(db, name)
}

async function applyInTransaction(db: Db, { name, text }: Migration): Promise<void> {
  await retrying(() =>
    db.transaction().execute(async (tx) => {
      await waitWithoutLimit(tx)
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      // Whatever is committed later makes this durable too.
      await sql`set local synchronous_commit = off`.execute(tx)
      await sql.raw(text).execute(tx)
      await note(tx, name)
    }),
  )
}

const applyOutside = (db: Db, text: string, form: string): Promise<void> =>
  db.connection().execute(async (one) => {
    // This connection is only ours.
    await sql`set statement_timeout = 0`.execute(one)
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(one)
    if (form === 'batches') return applyInBatches(one, text)
    await dropInvalid(one, text)
    for (const statement of text.split(/;\s*$/m)) if (statement.trim()) await sql.raw(statement).execute(one)
  })

async function applyInBatches(one: Db, text: string): Promise<void> {
  while (((await sql.raw(text).execute(one)).numAffectedRows ?? 0n) > 0n) await sleep(BATCH_PAUSE_MS)
}

/** An attempt that failed has left an index that is maintained but not used. */
async function dropInvalid(one: Db, text: string): Promise<void> {
  const names = [...text.matchAll(INDEX)].map(([, name]) => name)
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relname = any(${names}::text[]) and c.relnamespace = 'public'::regnamespace`.execute(
    one,
  )
  for (const { name } of rows) await sql`drop index concurrently ${sql.id(name)}`.execute(one)
}

const note = (db: Db, name: string) => db.insertInto('migrations').values({ name }).execute()

/** Gives way to the statements of running nodes, and tries again. */
async function gettingLocks(name: string, attemptOnce: () => Promise<void>, log: MigrateOptions['log']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
      if (attempt === LOCK_ATTEMPTS)
        throw new Error(`${name} gets no lock: end long transactions, and migrate again.`, { cause: error })
      log?.(`${name} waits for a lock.`)
      await sleep(Math.random() * LOCK_PAUSE_MS)
    }
  }
}

async function listApplied(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

async function listMigrations(folder = MIGRATIONS): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

/** Whether the newest schema is there. A process that does not migrate waits for one that does. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await compareMigrations(db)).missing.length === 0
}

/** @throws Error if the database is not migrated within a minute */
export async function untilMigrated(db: Db): Promise<void> {
  for (const end = Date.now() + MIGRATED_WITHIN_MS; ; await sleep(OTHERS_PAUSE_MS)) {
    const { missing } = await compareMigrations(db)
    if (missing.length === 0) return
    if (Date.now() > end) throw new Error(`The database lacks ${missing.join(', ')}: run npm run migrate.`)
  }
}

/** Names of migrations that the database lacks, and of those that this release does not know. */
export async function compareMigrations(db: Db): Promise<{ missing: string[]; unknown: string[] }> {
  const { rows } = await sql<{ table: string | null }>`select to_regclass('migrations')::text as table`.execute(db)
  const applied = rows[0]?.table ? await listApplied(db) : new Set<string>()
  const known = await listMigrations()
  return {
    missing: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)).toSorted(),
  }
}

/** Concurrent `create table if not exists` statements of two nodes may still collide in the catalogue. */
function ignoreRace(error: unknown): void {
  if ((error as { code?: unknown }).code !== '23505') throw error
}
