import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Db, openPool, type Tx } from './pool.ts'
import { transaction } from './transaction.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Migrates the database to the newest schema, forward only, each file once. Concurrent nodes wait for each other. */
export async function migrate(databaseUrl: string): Promise<void> {
  // Migrating a large database takes time, and so does the wait for another node that migrates it.
  const db = openPool(databaseUrl, 1, 0)
  try {
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
      .execute(db)
      .catch(ignoreRace)
    await transaction(db, applyMissing)
  } finally {
    await db.destroy()
  }
}

async function applyMissing(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  await sql`lock table migrations in exclusive mode`.execute(tx)
  const applied = await listApplied(tx)
  for (const name of await listMigrations()) {
    if (applied.has(name)) continue
    await sql.raw(await readFile(new URL(name, FOLDER), 'utf8')).execute(tx)
    await tx.insertInto('migrations').values({ name }).execute()
  }
}

async function listApplied(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

async function listMigrations(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
}

/** Whether the newest schema is there. A process that does not migrate waits for one that does. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await compareMigrations(db)).missing.length === 0
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
